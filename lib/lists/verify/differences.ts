import { readItems } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { chunkSize } from '../../records/sets/chunk.ts';
import { collectionOf } from '../../resources/collections.ts';
import { type ItemKey, nameOf } from '../keys.ts';
import type { NamedItem } from '../maintain.ts';
import { type ItemContent, readContent } from '../sets/itemContent.ts';
import { type ExpectedItem, readExpected } from './expected.ts';
import { type MarkDifference, markDifferences } from './markDifferences.ts';

/** Where the index and the records of a collection differ. */
export interface Differences {
  ref: CollectionRef;
  /** How many items of the index were compared. */
  checked: number;
  /** The items that differ, each with the positions that do. */
  items: NamedItem[];
  marks: MarkDifference[];
}

/**
 * Compares the index with the records of a chunk. A record may change meanwhile, and the index follows after a moment. So a
 * difference is only a candidate: `confirm` or `repair` reads the item and then its records again. For the same reason half the
 * price of a read is worth more than its consistency.
 *
 * Items that no record of the chunk names are not compared; `staleItems` finds those.
 * @param count the length of the collection
 */
export async function differencesOf(ref: CollectionRef, chunk: number, count: number): Promise<Differences> {
  const start = chunk * chunkSize;
  const end = Math.min(count, start + chunkSize);
  const { items, hours } = await readExpected(collectionOf(ref.type), ref.account, start, end);
  const [stored, marks] = await Promise.all([
    readItems(
      index,
      [...items.values()].map(({ key }) => ({ ...key })),
      { consistent: false },
    ),
    markDifferences(ref, hours, { start, end }),
  ]);
  const contents = new Map(stored.map((item) => [nameOf(item as unknown as ItemKey), item.members]));
  const differing = [...items].flatMap(([name, item]) => {
    const content = readContent(item, contents.get(name) as Uint8Array | undefined);
    return differenceOf(item, content, start) ?? [];
  });
  return { ref, checked: items.size, items: differing, marks };
}

/** @param start the first position of the chunk */
function differenceOf(
  { key, isLeaf, onlyGrows, members }: ExpectedItem,
  content: ItemContent,
  start: number,
): NamedItem | undefined {
  const stored = content.members();
  const evaluated = new Set<number>();
  const added = new Map<number, number | undefined>();
  for (const [position, ms] of members) {
    const at = position - start;
    if (isRight(onlyGrows, stored.has(at), stored.get(at), ms)) continue;
    if (onlyGrows) added.set(position, ms);
    else evaluated.add(position);
  }
  if (!onlyGrows) for (const at of stored.keys()) if (!members.has(start + at)) evaluated.add(start + at);
  return evaluated.size + added.size === 0 ? undefined : { key, isLeaf, evaluated, added };
}

/**
 * Whether an item says of a position what its record says. An item that only grows may also know a later time than a record that was
 * read before.
 */
export const isRight = (
  onlyGrows: boolean,
  isStored: boolean,
  stored: number | undefined,
  expected: number | undefined,
): boolean => isStored && (onlyGrows ? (stored ?? 0) >= (expected ?? 0) : stored === expected);

/** How many positions of items differ. */
export const positionsIn = (items: readonly NamedItem[]): number =>
  items.reduce((sum, { evaluated, added }) => sum + evaluated.size + added.size, 0);
