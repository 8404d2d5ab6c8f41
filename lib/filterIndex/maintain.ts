import { isTransient, pause } from '../dynamodb/conflicts.ts';
import { nameOf } from '../dynamodb/item.ts';
import { readByKey } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import { writeVersions } from '../dynamodb/versions.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { EntrySource } from './indexEntries.ts';
import type { ItemKey } from './indexKeys.ts';
import { readContent } from './sets/itemContent.ts';

export interface NamedItem {
  key: ItemKey;
  isHour: boolean;
  /** The positions whose records may have entered or left the item. The item is written with what these records are now. */
  toEvaluate: Set<number>;
  /** The positions that only enter the item, with the milliseconds for a leaf. */
  added: Map<number, number | undefined>;
}

/** Returns the item with a key from the items that are named so far, or adds it. */
export function namedItem(items: Map<string, NamedItem>, key: ItemKey, isHour = false): NamedItem {
  const name = nameOf(key);
  const item = items.get(name) ?? { key, isHour, toEvaluate: new Set(), added: new Map() };
  items.set(name, item);
  return item;
}

export const positionsNamed = (items: readonly NamedItem[]): Set<number> =>
  new Set(items.flatMap(({ toEvaluate, added }) => [...toEvaluate, ...added.keys()]));

/** Counts the positions of items. A position counts once for each of its items. */
export const countPositions = (items: readonly NamedItem[]): number =>
  items.reduce((sum, { toEvaluate, added }) => sum + toEvaluate.size + added.size, 0);

export type StoredItem = ItemKey & { members: Uint8Array; version: number };

const conflictPauseMs = 20;

/** A batch of changes may name a thousand items. If all calls ran at once, they would wait for connections. */
const batchesAtOnce = 2;

/**
 * Updates items of the index. It reads each item, then reads the item's records, and then writes the item unless another process has written it
 * in the meantime.
 *
 * This order makes the result correct, however often and in whatever order changes arrive. All writes of an item happen one after the other,
 * and each has read the records at least as late as the write before it. So the last write knows the last version of each record. This is why
 * an item is written even if nothing in it changes: its new version refuses the write of a process that read the records earlier.
 * test/faults/index.test.ts contains an order of calls in which that matters.
 *
 * @returns the items that are not up to date at the deadline
 */
export async function maintain(
  source: EntrySource,
  items: readonly NamedItem[],
  deadline: number,
): Promise<NamedItem[]> {
  let rest = [...items];
  while (rest.length > 0 && Date.now() < deadline) {
    try {
      rest = await round(source, rest);
      if (rest.length > 0) noteConflict();
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    if (rest.length > 0) await pause(conflictPauseMs);
  }
  return rest;
}

/** @returns the items that others have written in the meantime */
async function round(source: EntrySource, items: readonly NamedItem[]): Promise<NamedItem[]> {
  const storedAt = await readByKey<StoredItem>(
    index,
    items.map(({ key }) => key),
  );
  const current = await source.entriesAt(new Set(items.flatMap(({ toEvaluate }) => [...toEvaluate])));
  const ttl = source.expiry?.();
  const due = items.flatMap((item) => {
    const before = storedAt(item.key);
    const members = membersAfter(item, before?.members, current);
    if (!members) return [];
    const attributes = { members, ...(ttl === undefined ? {} : { ttl }) };
    return [{ item, key: item.key, attributes, version: before?.version }];
  });
  const written = await writeVersions(index.name, due, source.batchesAtOnce ?? batchesAtOnce);
  return due.flatMap(({ item }, i) => (written[i] ? [] : [item]));
}

/** Returns the members to write to an item; undefined if it is not written. */
function membersAfter(
  { key, isHour, toEvaluate, added }: NamedItem,
  before: Uint8Array | undefined,
  current: Awaited<ReturnType<EntrySource['entriesAt']>>,
): Uint8Array | undefined {
  const content = readContent({ key, isHour }, before);
  const name = nameOf(key);
  for (const position of toEvaluate) {
    const entry = current.get(position)?.get(name);
    if (entry) content.add(position, entry.ms);
    else content.remove(position);
  }
  const isLonger = [...added].filter(([position, ms]) => content.addLatest(position, ms)).length > 0;
  // An addition needs no new version, because adding twice or late makes no difference.
  return toEvaluate.size > 0 || isLonger ? content.encoded() : undefined;
}
