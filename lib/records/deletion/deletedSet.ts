import { absent, type plus } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { CollectionMap } from '../collectionMap.ts';
import { readCounter } from '../counter.ts';
import {
  type CollectionRef,
  counterKey,
  deletedCountKey,
  deletedKey,
  deletedPartition,
} from '../recordKeys.ts';
import {
  type Bits,
  chunkGroupOf,
  chunkOf,
  chunkSize,
  decodeBits,
  encodeBits,
  hasBit,
  noBits,
  setBit,
} from '../sets/chunk.ts';
import { PositionSet } from '../sets/positionSet.ts';

// The set of deleted positions, in chunks. It is in the table of the records, because lists depend on it: a restored table has the tombstones
// and the set of the same moment. The set never loses a member, so its size identifies its state.

/** Reads the deleted positions of a collection, with one query for each group of chunks. */
export async function readDeleted(
  ref: CollectionRef,
  count: number,
  options: { consistent: boolean },
): Promise<PositionSet> {
  const groups = Array.from({ length: chunkGroupOf(chunkOf(count)) + 1 }, (_, group) =>
    queryAll({ ...records.where({ pk: deletedPartition(ref, group) }), ConsistentRead: options.consistent }),
  );
  const chunks = (await Promise.all(groups)).flat();
  return new PositionSet(
    new Map(chunks.map(({ sk, members }) => [Number(sk), decodeBits(members as Uint8Array)])),
  );
}

/** Returns how many positions are deleted. Strongly consistent. */
export const readDeletedCount = async (ref: CollectionRef): Promise<number> =>
  (await readItem<{ count: number }>(records, deletedCountKey(ref)))?.count ?? 0;

export const countDeleted = (ref: CollectionRef, count: number | ReturnType<typeof plus>): Action =>
  records.update(deletedCountKey(ref), { count });

/** Returns the action that tells lists about deleted positions. It must commit before the first chunk, or with it. */
export const noteDeletions = (ref: CollectionRef): Action =>
  records.update(counterKey(ref), { has_deleted: true });

/** The sets that this process read last. A set only grows. If it has as many members as the stored count, it is up to date. */
const sets = /* @__PURE__ */ new CollectionMap<PositionSet>();

const none = /* @__PURE__ */ new PositionSet(new Map());

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

/**
 * Reads a chunk for positions in it.
 * @returns `has`: whether the set contains the first position; `add`: the action that adds them, refused if another deletion was faster
 */
export async function readChunk(ref: CollectionRef, first: number, ...others: readonly number[]) {
  const key = deletedKey(ref, chunkOf(first));
  const item = await readItem<{ members: Uint8Array; rev: number }>(records, key);
  const bits: Bits = item ? decodeBits(item.members) : noBits();
  const has = hasBit(bits, first % chunkSize);
  for (const position of [first, ...others]) setBit(bits, position % chunkSize, true);
  const next = { ...key, members: encodeBits(bits), rev: (item?.rev ?? 0) + 1 };
  return { isNew: !item, has, add: records.put(next, { if: item ? { rev: item.rev } : { pk: absent } }) };
}
