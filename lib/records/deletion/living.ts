import { log } from '../../logs/log.ts';
import { CollectionMap } from '../collectionMap.ts';
import { readHead } from '../head.ts';
import type { CollectionRef } from '../keys.ts';
import { PositionSet } from '../sets/positionSet.ts';
import { readDeleted, readDeletedCount } from './deletedSet.ts';

/** The sets that this process has read last. A set only grows, so while it has as many members as are counted, it is the set of now. */
const sets = new CollectionMap<PositionSet>();

const none = new PositionSet(new Map());

/** Whether this process knows that records of the collection were deleted. */
export const hasDeletions = (ref: CollectionRef): boolean => sets.get(ref) !== undefined;

/** While records are deleted, a list is read again this often. */
const triesMax = 4;

/**
 * Reads the length of a collection and its deleted positions, as they were when the head was read: the set was read before the head, and
 * the count after it, so a set with as many members as are counted was the whole set all the while. Otherwise all are read again.
 */
export async function readLiving(ref: CollectionRef) {
  let set = sets.get(ref) ?? none;
  for (let tries = 1; ; tries++) {
    const { count, hasDeleted } = await readHead(ref);
    if (!hasDeleted) return { count, deleted: none };
    const isWhole = set.size === (await readDeletedCount(ref));
    if (isWhole) sets.set(ref, set);
    else if (tries === triesMax)
      log.warn('records were deleted all the while a list was read', {
        account: ref.account,
        type: ref.type,
      });
    if (isWhole || tries === triesMax) return { count, deleted: set.within(0, count) };
    // A copy that is behind has fewer members, so the first read may cost half.
    set = await readDeleted(ref, count, { consistent: tries > 1 });
  }
}
