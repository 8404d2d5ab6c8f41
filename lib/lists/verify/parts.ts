import { batchesOf } from '../../concurrency.ts';
import type { NamedItem } from '../maintain.ts';
import { recordsAtOnce } from './expected.ts';

/** How many items are read or written at once. */
const itemsAtOnce = 500;

const rangeOf = (position: number): number => Math.floor(position / recordsAtOnce);

/** Divides items by ranges of positions, so that the records of each part have room in memory. */
export function partsOf(items: readonly NamedItem[]): NamedItem[][] {
  const ranges = new Map<number, NamedItem[]>();
  for (const item of items) {
    const inItem = new Set([...item.evaluated, ...item.added.keys()].map(rangeOf));
    for (const range of inItem) {
      const part = ranges.get(range) ?? [];
      ranges.set(range, part);
      part.push(inItem.size === 1 ? item : within(item, range));
    }
  }
  // Items with many positions share their records, so they belong into the same part.
  return [...ranges.values()].flatMap((inRange) =>
    batchesOf(
      inRange.toSorted((a, b) => b.evaluated.size - a.evaluated.size),
      itemsAtOnce,
    ),
  );
}

const within = ({ key, isLeaf, evaluated, added }: NamedItem, range: number): NamedItem => ({
  key,
  isLeaf,
  evaluated: new Set([...evaluated].filter((position) => rangeOf(position) === range)),
  added: new Map([...added].filter(([position]) => rangeOf(position) === range)),
});
