import { log } from '../../logs/log.ts';
import { CollectionMap } from '../collectionMap.ts';
import { readCounter } from '../counter.ts';
import type { CollectionRef } from '../recordKeys.ts';
import { PositionSet } from '../sets/positionSet.ts';
import { readDeleted, readDeletedCount } from './deletedSet.ts';

/** The sets that this process read last. A set only grows. If it has as many members as the stored count, it is up to date. */
const sets = new CollectionMap<PositionSet>();

const none = new PositionSet(new Map());

/** Returns whether this process knows of deleted records in the collection. */
export const hasDeletions = (ref: CollectionRef): boolean => sets.get(ref) !== undefined;

/** How often a list is read while records are being deleted. */
const triesMax = 4;

/**
 * Reads the length of a collection and its deleted positions as of one moment, the read of the counter. It reads the set before the counter and
 * the count after it. A set with as many members as the count was complete all that time. Otherwise it reads everything again.
 */
export async function readLiving(ref: CollectionRef) {
  let set = sets.get(ref) ?? none;
  for (let tries = 1; ; tries++) {
    const { count, hasDeleted } = await readCounter(ref);
    if (!hasDeleted) return { count, deleted: none };
    const isWhole = set.size === (await readDeletedCount(ref));
    if (isWhole) sets.set(ref, set);
    else if (tries === triesMax)
      log.warn('records were deleted all the while a list was read', {
        account: ref.account,
        type: ref.type,
      });
    if (isWhole || tries === triesMax) return { count, deleted: set.within(0, count) };
    // A replica that is behind has fewer members, so the first read can be eventually consistent, at half the price.
    set = await readDeleted(ref, count, { consistent: tries > 1 });
  }
}
