import { nameOf } from '../dynamodb/item.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { recordsOf } from '../records/listByOffset.ts';
import { readSome } from '../records/positionRange.ts';
import { isDeleted, toRecord } from '../records/recordItem.ts';
import { type AccountCollection, type CollectionRef, recordKey } from '../records/recordKeys.ts';
import type { Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { type EntrySource, type IndexEntry, indexEntriesOf } from './indexEntries.ts';

/** Returns the records at these positions, in the order of the positions, without deleted ones. */
export async function readRecords<R extends Stored>(
  ref: AccountCollection<R>,
  positions: readonly number[],
): Promise<R[]> {
  const items = await readSome(recordsOf(ref), positions);
  return items.filter((item) => !isDeleted(item)).map((item) => toRecord(ref.collection, item));
}

/** A record as it is now, and its entries by the names of their items. */
export interface CurrentRecord {
  record: Stored;
  entries: Map<string, IndexEntry>;
}

/** Returns records as they are now, by position. Strongly consistent. */
export async function readCurrent(
  ref: CollectionRef,
  positions: ReadonlySet<number>,
): Promise<Map<number, CurrentRecord>> {
  const keys = [...positions].map((position) => recordKey(ref, position));
  const items = await readItems(records, keys);
  return new Map(
    items.map((item) => {
      const position = Number(item.sk);
      const record = toRecord(collectionOf(ref.type), item);
      // The index contains nothing about deleted records.
      const entries = isDeleted(item) ? [] : indexEntriesOf(ref, position, record);
      return [position, { record, entries: new Map(entries.map((entry) => [nameOf(entry.key), entry])) }];
    }),
  );
}

export const collectionSource = (ref: CollectionRef): EntrySource => ({
  async entriesAt(positions) {
    const current = await readCurrent(ref, positions);
    return new Map([...current].map(([position, { entries }]) => [position, entries]));
  },
});
