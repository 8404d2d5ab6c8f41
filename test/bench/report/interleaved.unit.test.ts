import { expect, test } from 'vitest';
import { interleaved } from './interleaved.ts';

test('each subject is measured once in every round, one at a time, and each is first as often as the others', async () => {
  const order: number[] = [];
  let busy = 0;
  const taken = await interleaved(3, 6, async (index) => {
    expect(++busy).toBe(1);
    await Promise.resolve();
    busy -= 1;
    order.push(index);
    return order.length;
  });
  expect(order).toEqual([0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2, 1, 2, 0, 2, 0, 1]);
  expect(taken).toEqual([
    [1, 6, 8, 10, 15, 17],
    [2, 4, 9, 11, 13, 18],
    [3, 5, 7, 12, 14, 16],
  ]);
});
