import { log } from '../../logs/log.ts';
import { CollectionMap } from '../collectionMap.ts';
import { type Head, readHead } from '../head.ts';
import type { CollectionRef } from '../keys.ts';
import { PositionSet } from '../sets/positionSet.ts';
import { readDeleted } from './deletedSet.ts';

/** The length of a collection and its deleted positions, as they were at one moment. */
export interface Living {
  count: number;
  deleted: PositionSet;
}

/** The sets that this process has read last. A set only grows, so the one with as many members as the head counts is the set of now. */
const sets = new CollectionMap<PositionSet>();

const none = new PositionSet(new Map());

/** Whether this process knows that records of the collection were deleted. */
export const hasDeletions = (ref: CollectionRef): boolean => sets.get(ref) !== undefined;

/**
 * Reads the length of a collection and its deleted positions. The two belong together if the set was read wholly before the head, or
 * wholly after it and strongly consistent, and has exactly as many members below the length as the head counts: only then was there a
 * moment with both. Otherwise both are read again.
 */
export async function readLiving(ref: CollectionRef): Promise<Living> {
  let head = await readHead(ref);
  let set = head.deleted ? sets.get(ref) : none;
  // A copy that is behind has fewer members, so the first read may cost half.
  for (const consistent of [false, true, true, true]) {
    if (isSetOf(head, set)) break;
    set = await readDeleted(ref, head.count, { consistent });
    if (consistent && isSetOf(head, set)) break;
    head = await readHead(ref);
  }
  const deleted = (set as PositionSet).within(0, head.count);
  if (isSetOf(head, set)) {
    if (deleted.size > 0) sets.set(ref, deleted);
  } else log.warn('records were deleted all the while a list was read', { collection: ref });
  return { count: head.count, deleted };
}

const isSetOf = ({ count, deleted = 0 }: Head, set: PositionSet | undefined): boolean =>
  set?.within(0, count).size === deleted;
