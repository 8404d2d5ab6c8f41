import { nameOf } from '../dynamodb/item.ts';
import type { CollectionRef, SequenceRef } from '../records/keys.ts';
import type { IndexedFields, Stored, ValueField } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { bucketOf, levels, msInHour } from './buckets.ts';
import { type ItemKey, timeItem, valueItem } from './keys.ts';

/** Says of one record, or of one delivery, that its position is in this item. */
export interface IndexEntry {
  key: ItemKey;
  /** The milliseconds in the hour, for an item of the level `hour`. */
  ms?: number;
}

export const indexEntriesOf = (ref: CollectionRef, position: number, record: Stored): IndexEntry[] =>
  entriesIn(ref, collectionOf(ref.type).filters, position, record);

/** The entries of what is at a position: one for each of its values, and one for each level of its times. */
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
 * The entries that a change brings or takes away. Those that stay are left out: the change that brought them names their items, and
 * nothing has taken them away since.
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

/** The name of the times of changes: `updated_since` reads them. */
export const updated = 'updated';

/**
 * The entries of a change: that the record was changed at this time. They stay true, so they are only added. A new
 * record has none, because its position says when it was created.
 */
export const changeEntries = (
  ref: SequenceRef,
  position: number,
  { version, updated_at }: Stored,
): IndexEntry[] => (version === 1 ? [] : timeEntries(ref, updated, updated_at, position));

export interface Source {
  /** The entries of what is at these positions now, by the names of their items. Strongly consistent. */
  entriesAt(positions: ReadonlySet<number>): Promise<ReadonlyMap<number, ReadonlyMap<string, IndexEntry>>>;
  /** When an item that is written now can be removed, in epoch seconds; without it, never. */
  expiry?(): number;
  /** How many batches of items are written at once; without it, two. */
  batchesAtOnce?: number;
}

/** The values of a record in the form in which they are compared, without those that are missing. */
export const comparedValues = <R>(
  { valuesOf, fold = (value) => value }: ValueField<R>,
  record: R,
): string[] => valuesOf(record).flatMap((value) => (value === null ? [] : [fold(value)]));
