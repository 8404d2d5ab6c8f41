import { readMany } from '../dynamodb/batch.ts';
import { isDeleted } from '../records/deletion/tombstone.ts';
import { toRecord } from '../records/item.ts';
import type { AccountCollection } from '../records/keys.ts';
import { recordsOf } from '../records/list.ts';
import { blockSize, positionKey } from '../records/position.ts';
import { type Item, type Positions, readRange } from '../records/range.ts';
import type { Stored } from '../resources/collection.ts';

/**
 * A query reads all items of a block, and a batch reads each for a unit of its own. With fewer items of a block than these, the query
 * saves a few units, and takes longer for all the items that nobody asked for.
 */
const itemsPerQuery = 10;

/** The records at these positions, in the order of the positions, without those that are deleted. */
export async function readRecords<R extends Stored>(
  ref: AccountCollection<R>,
  positions: readonly number[],
): Promise<R[]> {
  const items = await readItems(recordsOf(ref), positions);
  return items.filter((item) => !isDeleted(item)).map((item) => toRecord(ref.collection, item));
}

/** The items at these positions, in the order of the positions, without those that do not exist. Strongly consistent. */
export async function readItems(from: Positions, positions: readonly number[]): Promise<Item[]> {
  const blocks = Map.groupBy(positions, (position) => Math.floor(position / blockSize));
  const items =
    blocks.size * itemsPerQuery <= positions.length
      ? await readBlocks(from, [...blocks.values()])
      : await readMany(
          from.table,
          positions.map((position) => ({ pk: from.partitionOf(position), sk: positionKey(position) })),
        );
  const found = new Map(items.map((item) => [Number(item.sk), item]));
  return positions.flatMap((position) => {
    const item = found.get(position);
    return item ? [item] : [];
  });
}

async function readBlocks(from: Positions, blocks: readonly number[][]): Promise<Item[]> {
  const ranges = blocks.map((block) => readRange(from, Math.min(...block), Math.max(...block) + 1));
  return (await Promise.all(ranges)).flat();
}
