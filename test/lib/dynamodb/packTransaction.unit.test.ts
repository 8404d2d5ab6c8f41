import { expect, test } from 'vitest';
import { packTransaction } from '../../../lib/dynamodb/packTransaction.ts';

const costs = { actionsOf: () => 1, bytesOf: () => 0 };

const numbers = Array.from({ length: 120 }, (_, i) => i);

test('a transaction takes at most 100 actions, those for all entries included', () => {
  expect(packTransaction(numbers, costs)).toHaveLength(100);
  expect(packTransaction(numbers, { ...costs, commonActions: 1 })).toHaveLength(99);
  expect(packTransaction(numbers, { ...costs, actionsOf: () => 3 })).toEqual(numbers.slice(0, 33));
});

test('a transaction takes at most half a million bytes', () => {
  expect(packTransaction(numbers, { ...costs, bytesOf: () => 160_000 })).toEqual([0, 1, 2]);
});

test('a shared item is written once, by one action', () => {
  expect(packTransaction(numbers, { ...costs, sharedItemsOf: () => ['log'] })).toHaveLength(99);
  expect(packTransaction(numbers, { ...costs, sharedItemsOf: (n) => [`log ${n}`] })).toHaveLength(50);
});

test('of entries with one unique name the first is taken', () => {
  const uniqueNamesOf = (n: number) => (n < 4 ? [`name ${n % 2}`] : []);
  expect(packTransaction([0, 1, 2, 3, 4, 5], { ...costs, uniqueNamesOf })).toEqual([0, 1, 4, 5]);
});

test('an entry that is too large is taken alone', () => {
  expect(packTransaction(numbers, { ...costs, bytesOf: () => 9_000_000 })).toEqual([0]);
  expect(packTransaction([], costs)).toEqual([]);
});
