import { absent, type plus } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
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
