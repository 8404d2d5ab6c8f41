import { expect, test } from 'vitest';
import { drawn, randomOf } from './support/run/sample.ts';

const entries = Array.from({ length: 60 }, (_, i) => i);
const kindOf = (entry: number) => entry % 12;

test('a sample of a list that is as short is the list', () => {
  expect(drawn([1, 2, 3], { name: 'short', count: 3 })).toEqual([1, 2, 3]);
});

test.each([12, 13, 30])('a sample of %s has as many different entries, and each of twelve kinds', (count) => {
  const sample = drawn(entries, { name: 'kinds', count, kindOf });
  expect(new Set(sample).size).toBe(count);
  expect(new Set(sample.map(kindOf)).size).toBe(12);
});

test('the samples of cases have each kind together', () => {
  const samples = [0, 1, 2, 3].flatMap((turn) => drawn(entries, { name: 'cases', count: 3, kindOf, turn }));
  expect(new Set(samples.map(kindOf)).size).toBe(12);
});

test('a kind with few entries does not make the sample smaller', () => {
  const sample = drawn(entries, { name: 'few', count: 20, kindOf: (entry) => entry === 0 });
  expect(sample).toContain(0);
  expect(new Set(sample).size).toBe(20);
});

test('the same name gives the same sample within a run, and another name another one', () => {
  const of = (name: string) => drawn(entries, { name, count: 8 });
  expect(of('one')).toEqual(of('one'));
  expect(of('one')).not.toEqual(of('other'));
  const numbers = (name: string) => Array.from({ length: 8 }, randomOf(name).bind(undefined, 1_000_000));
  expect(numbers('one')).not.toEqual(numbers('other'));
});
