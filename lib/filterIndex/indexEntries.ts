import { nameOf } from '../dynamodb/item.ts';
import type { CollectionRef, SequenceRef } from '../records/recordKeys.ts';
import type { IndexedFields, Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { bucketOf, levels, msInHour } from './buckets.ts';
import { comparedValues } from './conditions.ts';
import { type ItemKey, timeItem, valueItem } from './indexKeys.ts';

/** States that the position of one record, or of one delivery, belongs to an item. */
export interface IndexEntry {
  key: ItemKey;
  /** The milliseconds in the hour, for an item of the level `hour`. */
  ms?: number;
}

export const indexEntriesOf = (ref: CollectionRef, position: number, record: Stored): IndexEntry[] =>
  entriesIn(ref, collectionOf(ref.type).filters, position, record);

/** Returns the entries of the record or delivery at a position: one for each of its values, and one for each level of its times. */
export function entriesIn<R>(
  ref: SequenceRef,
  { values, times }: IndexedFields<R>,
  position: number,
  record: R,
): IndexEntry[] {
  return [
    ...values.flatMap((field) =>
      comparedValues(field, record).map((value) => ({ key: valueItem(ref, field, value, position) })),
    ),
    ...times.flatMap(({ name, timeOf }) => {
      const time = timeOf(record);
      return time === null ? [] : timeEntries(ref, name, time, position);
    }),
  ];
}

const timeEntries = (ref: SequenceRef, field: string, time: string, position: number): IndexEntry[] =>
  levels.map((level) => ({
    key: timeItem(ref, field, level, bucketOf(level, time), position),
    ...(level === 'hour' ? { ms: msInHour(time) } : {}),
  }));

/**
 * Returns the entries that a change adds or removes. Unchanged entries are left out, because the change that added them already names their
 * items, and nothing has removed them since.
 */
export function differingEntries(
  ref: CollectionRef,
  position: number,
  { before, after }: { before?: Stored | undefined; after: Stored | undefined },
): IndexEntry[] {
  const entries = after ? indexEntriesOf(ref, position, after) : [];
  if (!before) return entries;
  const earlier = indexEntriesOf(ref, position, before);
  const [then, now] = [namesOf(earlier), namesOf(entries)];
  return [
    ...earlier.filter((entry) => !now.has(fullNameOf(entry))),
    ...entries.filter((entry) => !then.has(fullNameOf(entry))),
  ];
}

const namesOf = (entries: readonly IndexEntry[]): Set<string> => new Set(entries.map(fullNameOf));

/** Two times in one hour are different entries. */
const fullNameOf = ({ key, ms }: IndexEntry): string => `${nameOf(key)} ${ms}`;

/** The name of the times of changes, which `updated_since` reads. */
export const updated = 'updated';

/**
 * Returns the entries that say when a record was changed. They remain true, so they are only added. A new record has none, because its position
 * shows when it was created.
 */
export const changeEntries = (
  ref: SequenceRef,
  position: number,
  { version, updated_at }: Stored,
): IndexEntry[] => (version === 1 ? [] : timeEntries(ref, updated, updated_at, position));

export interface EntrySource {
  /** Returns the current entries of the records at these positions, by the names of their items. Strongly consistent. */
  entriesAt(positions: ReadonlySet<number>): Promise<ReadonlyMap<number, ReadonlyMap<string, IndexEntry>>>;
  /** Returns when an item that is written now can be removed, in epoch seconds. Without this function, it never expires. */
  expiry?(): number;
  /** How many batches of items are written at once; two by default. */
  batchesAtOnce?: number;
}
