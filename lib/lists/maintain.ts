import { isTransient, pause } from '../dynamodb/conflicts.ts';
import { nameOf } from '../dynamodb/item.ts';
import { readByKey } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import { writeVersions } from '../dynamodb/versions.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { Source } from './entries.ts';
import type { ItemKey } from './keys.ts';
import { readContent } from './sets/itemContent.ts';

export interface NamedItem {
  key: ItemKey;
  isLeaf: boolean;
  /** The positions whose records may have come into the item or left it: it is written with what these records are now. */
  evaluated: Set<number>;
  /** The positions that only come into it, with the milliseconds for a leaf. */
  added: Map<number, number | undefined>;
}

/** The item with a key among those that are named so far. */
export function namedItem(items: Map<string, NamedItem>, key: ItemKey, isLeaf = false): NamedItem {
  const name = nameOf(key);
  const item = items.get(name) ?? { key, isLeaf, evaluated: new Set(), added: new Map() };
  items.set(name, item);
  return item;
}

/** The positions of items, each once. */
export const positionsNamed = (items: readonly NamedItem[]): Set<number> =>
  new Set(items.flatMap(({ evaluated, added }) => [...evaluated, ...added.keys()]));

/** How many positions items have. One counts for each of its items. */
export const countPositions = (items: readonly NamedItem[]): number =>
  items.reduce((sum, { evaluated, added }) => sum + evaluated.size + added.size, 0);

export type StoredItem = ItemKey & { members: Uint8Array; version: number };

const conflictPauseMs = 20;

/** A batch of changes may name a thousand items: all calls at once would wait for connections. */
const batchesAtOnce = 2;

/**
 * Brings items of the index up to date. Each is read; after that its records are read; then it is written, if no other process has
 * written it meanwhile.
 *
 * The order is what makes it right, however often and in whatever order changes are told. All writes of an item stand in one
 * order, and each knows the records at least as the one before it did. So the write that comes last knows the last version of
 * each record. For that, an item is written also when nothing in it changes: its new version refuses the write of a process that has
 * read the records before. test/faults/index.test.ts has an order of calls in which that decides.
 * @returns the items that are not up to date at the deadline
 */
export async function maintain(
  source: Source,
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

/** @returns the items that others have written meanwhile */
async function round(source: Source, items: readonly NamedItem[]): Promise<NamedItem[]> {
  const storedAt = await readByKey<StoredItem>(
    index,
    items.map(({ key }) => key),
  );
  const current = await source.entriesAt(new Set(items.flatMap(({ evaluated }) => [...evaluated])));
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

/** The members that an item is written with; undefined when it is not written. */
function membersAfter(
  { key, isLeaf, evaluated, added }: NamedItem,
  before: Uint8Array | undefined,
  current: Awaited<ReturnType<Source['entriesAt']>>,
): Uint8Array | undefined {
  const content = readContent({ key, isLeaf }, before);
  const name = nameOf(key);
  for (const position of evaluated) {
    const entry = current.get(position)?.get(name);
    if (entry) content.add(position, entry.ms);
    else content.remove(position);
  }
  const isLonger = [...added].filter(([position, ms]) => content.addLatest(position, ms)).length > 0;
  // An addition needs no fence: to add twice, or late, makes no difference.
  return evaluated.size > 0 || isLonger ? content.encoded() : undefined;
}
