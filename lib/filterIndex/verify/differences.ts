import { nameOf } from '../../dynamodb/item.ts';
import { readByKey } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import { recordsOf } from '../../records/listByOffset.ts';
import { blockSize } from '../../records/position.ts';
import { readRange } from '../../records/positionRange.ts';
import { isDeleted, toRecord } from '../../records/recordItem.ts';
import type { CollectionRef } from '../../records/recordKeys.ts';
import { partitionCount } from '../../records/recordsTable.ts';
import { chunkSize } from '../../records/sets/chunk.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { collectionOf } from '../../resources/collections.ts';
import { changeEntries, type IndexEntry, indexEntriesOf } from '../indexEntries.ts';
import { chunkOfKey, type ItemKey } from '../indexKeys.ts';
import { countPositions, type NamedItem, type StoredItem } from '../maintain.ts';
import { readContent } from '../sets/itemContent.ts';
import { type DeletionDifferences, deletionDifferences, deletionsIn } from './deletions.ts';

export interface Differences {
  ref: CollectionRef;
  checked: number;
  items: NamedItem[];
  deletions: DeletionDifferences;
}

/**
 * Compares the index with the records of a chunk. A record may change in the meantime, and the index follows a moment later. So a difference is
 * only a candidate: `confirm` or `repair` reads the item and then its records again. This is also why reads are eventually consistent, at half
 * the price.
 *
 * Items that no record of the chunk names are not compared here; `staleItems` finds those.
 *
 * @param count the length of the collection
 */
export async function differencesOf(ref: CollectionRef, chunk: number, count: number): Promise<Differences> {
  const start = chunk * chunkSize;
  const end = Math.min(count, start + chunkSize);
  const { items, deleted } = await readExpected(ref, start, end);
  const keys = [...items.values()].map(({ key }) => key);
  const [storedAt, deletions] = await Promise.all([
    readByKey<StoredItem>(index, keys, { consistent: false }),
    deletionDifferences(ref, { start, end, count, left: deleted }),
  ]);
  const differing = [...items.values()].flatMap(
    (item) => differenceOf(item, storedAt(item.key)?.members) ?? [],
  );
  return { ref, checked: items.size, items: differing, deletions };
}

/**
 * Returns the positions at which an item disagrees with its records. An item that only grows may also contain a later time than a record that
 * was read earlier, and positions that no record names any longer.
 * @param content of the item; undefined if there is none
 */
export function differenceOf(
  { key, isHour, onlyGrows, members }: ExpectedItem,
  content: Uint8Array | undefined,
): NamedItem | undefined {
  const stored = readContent({ key, isHour }, content).members();
  const start = chunkOfKey(key.sk) * chunkSize;
  const toEvaluate = new Set<number>();
  const added = new Map<number, number | undefined>();
  for (const [position, ms] of members) {
    const at = position - start;
    const isRight = onlyGrows ? (stored.get(at) ?? 0) >= (ms ?? 0) : stored.get(at) === ms;
    if (stored.has(at) && isRight) continue;
    if (onlyGrows) added.set(position, ms);
    else toEvaluate.add(position);
  }
  if (!onlyGrows) for (const at of stored.keys()) if (!members.has(start + at)) toEvaluate.add(start + at);
  return toEvaluate.size + added.size === 0 ? undefined : { key, isHour, toEvaluate, added };
}

export const differencesIn = ({ items, deletions }: Differences): number =>
  countPositions(items) + deletionsIn(deletions);

/** How many records are in memory at once: one block of each partition. Without its lines, a record has 60,000 bytes at most. */
export const recordsAtOnce = blockSize * partitionCount;

interface ExpectedItem {
  key: ItemKey;
  isHour: boolean;
  /** Whether this is an item of times of changes. */
  onlyGrows: boolean;
  /** Positions, with the milliseconds in the hour for a leaf. */
  members: Map<number, number | undefined>;
}

interface Expected {
  items: Map<string, ExpectedItem>;
  deleted: Set<number>;
}

/** The attributes that filters may need. No filter uses the lines of an order, which make up most of a large one. */
const attributesOf = ({ layout }: Collection<Stored>): string[] => [
  'sk',
  'deleted_at',
  ...Object.entries(layout).flatMap(([name, inner]) => (Array.isArray(inner) ? [] : [name])),
];

/** Returns what the index should contain about the records at the positions from `start` to before `end`. */
async function readExpected(ref: CollectionRef, start: number, end: number): Promise<Expected> {
  const collection = collectionOf(ref.type);
  const expected: Expected = { items: new Map(), deleted: new Set() };
  const positions = { ...recordsOf(ref), attributes: attributesOf(collection) };
  for (let from = start; from < end; from += recordsAtOnce)
    for (const item of await readRange(positions, from, Math.min(end, from + recordsAtOnce))) {
      const [position, record] = [Number(item.sk), toRecord(collection, item)];
      if (isDeleted(item)) expected.deleted.add(position);
      else {
        for (const entry of indexEntriesOf(ref, position, record)) expect(expected, entry, position, false);
        for (const entry of changeEntries(ref, position, record)) expect(expected, entry, position, true);
      }
    }
  return expected;
}

function expect({ items }: Expected, { key, ms }: IndexEntry, position: number, onlyGrows: boolean): void {
  const name = nameOf(key);
  const item = items.get(name) ?? { key, isHour: ms !== undefined, onlyGrows, members: new Map() };
  items.set(name, item);
  item.members.set(position, ms);
}
