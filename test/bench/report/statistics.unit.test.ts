import { expect, test } from 'vitest';
import { interval, median, quantile, ratio } from './statistics.ts';

test('a quantile is one of the values, whatever their order', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(quantile(values, 0)).toBe(1);
  expect(median(values)).toBe(51);
  expect(quantile(values, 0.99)).toBe(100);
  expect(quantile(values, 1)).toBe(100);
});

test('numbers are sorted as numbers, and what was given stays as it is', () => {
  const values = [10, 9, 1];
  expect(median(values)).toBe(9);
  expect(values).toEqual([10, 9, 1]);
});

test('of nothing there is none', () => {
  expect(median([])).toBeNaN();
});

test('the interval of a ratio holds it, and is wider when less is known', () => {
  // A fixed sequence, so that the test is the same each time.
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const around = (center: number, count: number) => Array.from({ length: count }, () => center + random());
  const widths = [11, 101].map((count) => {
    const [low, high] = interval(around(10, count), around(20, count), random);
    expect(low).toBeLessThan(0.515);
    expect(high).toBeGreaterThan(0.51);
    return high - low;
  });
  expect(widths[1]).toBeLessThan(widths[0] as number);
});

test('what slows a round for both does not widen the interval', () => {
  const load = Array.from({ length: 51 }, (_, round) => 1 + (round % 7));
  const [low, high] = interval(
    load.map((factor) => 3 * factor),
    load.map((factor) => 4 * factor),
  );
  expect([low, high]).toEqual([0.75, 0.75]);
});

test('a ratio is shown with its interval', () => {
  expect(ratio([3, 3, 3], [4, 4, 4])).toBe('0.75 (0.75–0.75)');
});
