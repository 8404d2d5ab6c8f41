import { expect, test } from 'vitest';
import { MemoryCurve } from './memory.ts';
import { wrongWithMemory } from './summary.ts';

function curveOf(...lives: number[][]): MemoryCurve {
  const curve = new MemoryCurve();
  for (const [i, life] of lives.entries()) {
    if (i > 0) curve.begin();
    for (const mb of life) curve.add(mb);
  }
  return curve;
}

const flat = Array.from({ length: 400 }, (_, i) => 300 + (i % 10));
const growing = Array.from({ length: 400 }, (_, i) => 300 + i / 2);

test('a memory that stays as it is, is right', () => {
  expect(wrongWithMemory(curveOf(flat), 400)).toEqual([]);
});

test('one that grows is wrong, also where a restart has made it small again', () => {
  expect(wrongWithMemory(curveOf([300], growing, [300]), 800)).toEqual([
    'the memory of the stack has grown from 375 to 475 MB',
  ]);
});

test('one that is ever above the limit is wrong', () => {
  expect(wrongWithMemory(curveOf(flat, [900]), 800)).toEqual(['the stack had 900 MB, and may have 800']);
});
