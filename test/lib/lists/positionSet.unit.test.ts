import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkSize } from '../../../lib/records/sets/chunk.ts';
import { PositionSet } from '../../../lib/records/sets/positionSet.ts';

const position = fc.nat({ max: 3 * chunkSize });
const positions = fc.uniqueArray(position, { maxLength: 300, size: 'max' });
const ordered = (list: Iterable<number>) => [...list].sort((a, b) => a - b);
const all = (set: PositionSet) => set.select(0, Number.POSITIVE_INFINITY);

test('intersection, union, ranges, sizes and ranks are those of plain lists', () => {
  fc.assert(
    fc.property(positions, positions, position, position, fc.nat(200), (a, b, one, other, skipped) => {
      const [first, second] = [PositionSet.of(a), PositionSet.of(b)];
      const [start, end] = ordered([one, other]) as [number, number];
      const both = ordered(a.filter((p) => b.includes(p)));
      expect(all(first.and(second))).toEqual(both);
      expect(first.and(second).size).toBe(both.length);
      expect(all(PositionSet.union([first, second]))).toEqual(ordered(new Set([...a, ...b])));
      expect(all(first.within(start, end))).toEqual(ordered(a.filter((p) => p >= start && p < end)));
      expect(first.select(skipped, 25)).toEqual(ordered(a).slice(skipped, skipped + 25));
      expect(first.select(skipped, 25, true)).toEqual(
        ordered(a)
          .reverse()
          .slice(skipped, skipped + 25),
      );
      // The sets themselves stay as they were.
      expect(all(first)).toEqual(ordered(a));
      expect(all(second)).toEqual(ordered(b));
    }),
    { numRuns: 200 },
  );
});

test('a range has all its positions', () => {
  const range = PositionSet.range(chunkSize - 2, chunkSize + 2);
  expect(all(range)).toEqual([6398, 6399, 6400, 6401]);
  expect(PositionSet.range(5, 5).size).toBe(0);
  expect(PositionSet.range(7, 5).size).toBe(0);
});
