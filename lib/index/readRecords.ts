import { readMany } from '../dynamodb/batch.ts';
import { env, required } from '../env.ts';
import type { Collection, Stored } from '../records/collection.ts';
import { toRecord } from '../records/item.ts';
import { type CollectionRef, recordKey } from '../records/keys.ts';
import { recordsOf } from '../records/list.ts';
import { blockSize } from '../records/position.ts';
import { type Item, readRange } from '../records/range.ts';

/**
 * A query reads all records of a block, and a batch reads each for a unit of its own. With fewer records of a block than these, the query
 * saves a few units, and takes longer for all the records that nobody asked for.
 */
const recordsPerQuery = 10;

/** The records at these positions, in the order of the positions. */
export async function readRecords<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  positions: readonly number[],
): Promise<R[]> {
  const blocks = Map.groupBy(positions, (position) => Math.floor(position / blockSize));
  const items =
    blocks.size * recordsPerQuery <= positions.length
      ? await readBlocks(ref, [...blocks.values()])
      : await readMany(
          required(env.recordsTable),
          positions.map((position) => recordKey(ref, position)),
        );
  const found = new Map(items.map((item) => [Number(item.sk), item]));
  return positions.flatMap((position) => {
    const item = found.get(position);
    return item ? [toRecord(collection, item)] : [];
  });
}

async function readBlocks(ref: CollectionRef, blocks: readonly number[][]): Promise<Item[]> {
  const ranges = blocks.map((block) => readRange(recordsOf(ref), Math.min(...block), Math.max(...block) + 1));
  return (await Promise.all(ranges)).flat();
}
