import { readMany } from '../dynamodb/batch.ts';
import type { Item } from '../dynamodb/item.ts';
import { nameOf } from '../dynamodb/item.ts';
import { records } from '../dynamodb/tables.ts';
import { isDeleted } from '../records/deletion/tombstone.ts';
import { toRecord } from '../records/item.ts';
import { type AccountCollection, type CollectionRef, recordKey } from '../records/keys.ts';
import { recordsOf } from '../records/listByOffset.ts';
import { blockSize, positionKey } from '../records/position.ts';
import { type Positions, readRange } from '../records/range.ts';
import type { Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { type Entry, entriesOf, type Source } from './entries.ts';

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
      ? (await Promise.all([...blocks.values()].map((block) => readBlock(from, block)))).flat()
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

const readBlock = (from: Positions, block: readonly number[]): Promise<Item[]> =>
  readRange(from, Math.min(...block), Math.max(...block) + 1);

/** A record as it is now, and its entries by the names of their items. */
export interface CurrentRecord {
  record: Stored;
  entries: Map<string, Entry>;
}

/** Records as they are now, by position. Strongly consistent. */
export async function readCurrent(
  ref: CollectionRef,
  positions: ReadonlySet<number>,
): Promise<Map<number, CurrentRecord>> {
  const keys = [...positions].map((position) => recordKey(ref, position));
  const items = await readMany(records.name, keys);
  return new Map(
    items.map((item) => {
      const position = Number(item.sk);
      const record = toRecord(collectionOf(ref.type), item);
      // The index knows nothing of what is deleted.
      const entries = isDeleted(item) ? [] : entriesOf(ref, position, record);
      return [position, { record, entries: new Map(entries.map((entry) => [nameOf(entry.key), entry])) }];
    }),
  );
}

export const collectionSource = (ref: CollectionRef): Source => ({
  async entriesAt(positions) {
    const current = await readCurrent(ref, positions);
    return new Map([...current].map(([position, { entries }]) => [position, entries]));
  },
});
