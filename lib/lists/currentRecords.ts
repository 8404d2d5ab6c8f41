import { readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { isDeleted } from '../records/deletion/tombstone.ts';
import { toRecord } from '../records/item.ts';
import { type AccountCollection, recordKey } from '../records/keys.ts';
import type { Stored } from '../resources/collection.ts';
import { type Entry, entriesOf, type Source } from './entries.ts';
import { nameOf } from './keys.ts';

/** A record as it is now, and its entries by the names of their items. */
export interface CurrentRecord<R extends Stored> {
  record: R;
  entries: Map<string, Entry>;
}

/** Records as they are now, by position. Strongly consistent. */
export async function readCurrent<R extends Stored>(
  ref: AccountCollection<R>,
  positions: ReadonlySet<number>,
): Promise<Map<number, CurrentRecord<R>>> {
  const { collection } = ref;
  const items = await readItems(
    records,
    [...positions].map((position) => recordKey(ref, position)),
  );
  return new Map(
    items.map((item) => {
      const position = Number(item.sk);
      const record = toRecord(collection, item);
      // The index knows nothing of what is deleted.
      const entries = isDeleted(item) ? [] : entriesOf(ref, position, record);
      return [position, { record, entries: new Map(entries.map((entry) => [nameOf(entry.key), entry])) }];
    }),
  );
}

export const collectionSource = <R extends Stored>(ref: AccountCollection<R>): Source => ({
  async entriesAt(positions) {
    const current = await readCurrent(ref, positions);
    return new Map([...current].map(([position, { entries }]) => [position, entries]));
  },
});
