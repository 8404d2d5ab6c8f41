import { expect, test } from 'vitest';
import { median, quantile } from './statistics.ts';

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
