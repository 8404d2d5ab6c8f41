import { isDeleted } from '../../records/deletion/tombstone.ts';
import { toRecord } from '../../records/item.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { recordsOf } from '../../records/list.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/range.ts';
import { partitionCount } from '../../records/table.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { bucketOf } from '../buckets.ts';
import { changeEntries, type Entry, entriesOf } from '../entries.ts';
import { type ItemKey, nameOf } from '../keys.ts';

/** How many records are in memory at once: one block of each partition. Without its lines, a record has 60,000 bytes at most. */
export const recordsAtOnce = blockSize * partitionCount;

/** What records say of an item of the index. */
export interface ExpectedItem {
  key: ItemKey;
  isLeaf: boolean;
  /** An item of times of changes may also have members that no record knows any more. */
  onlyGrows: boolean;
  /** By position, with the milliseconds in the hour for a leaf. */
  members: Map<number, number | undefined>;
}

/** The first record of an hour. */
export interface HourStart {
  first: number;
  createdAt: string;
}

/** What the index has to say of the records at some positions. */
export interface Expected {
  /** By the name of the item. */
  items: Map<string, ExpectedItem>;
  /** By the hour of creation, in order. */
  hours: Map<string, HourStart>;
}

/** The attributes that filters may need: no filter is about the lines of an order, which are most of a large one. */
const attributesOf = ({ layout }: Collection<Stored>): string[] => [
  'sk',
  'deleted_at',
  ...Object.entries(layout).flatMap(([name, inner]) => (Array.isArray(inner) ? [] : [name])),
];

/** What the index has to say of the records at the positions from `start` to before `end`. */
export async function readExpected<R extends Stored>(
  collection: Collection<R>,
  account: string,
  start: number,
  end: number,
): Promise<Expected> {
  const ref: CollectionRef = { account, type: collection.type };
  const expected: Expected = { items: new Map(), hours: new Map() };
  const positions = { ...recordsOf(ref), attributes: attributesOf(collection) };
  for (let from = start; from < end; from += recordsAtOnce)
    for (const item of await readRange(positions, from, Math.min(end, from + recordsAtOnce))) {
      const [position, record] = [Number(item.sk), toRecord(collection, item)];
      if (!isDeleted(item)) {
        for (const entry of entriesOf(collection, account, position, record))
          expect(expected, entry, position, false);
        for (const entry of changeEntries(ref, position, record)) expect(expected, entry, position, true);
      }
      const hour = bucketOf('hour', record.created_at);
      if (!expected.hours.has(hour))
        expected.hours.set(hour, { first: position, createdAt: record.created_at });
    }
  return expected;
}

function expect({ items }: Expected, { key, ms }: Entry, position: number, onlyGrows: boolean): void {
  const name = nameOf(key);
  const item = items.get(name) ?? { key, isLeaf: ms !== undefined, onlyGrows, members: new Map() };
  items.set(name, item);
  item.members.set(position, ms);
}
