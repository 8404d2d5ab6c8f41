import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fewAtOnce } from '../../lib/concurrency.ts';

const numbers = Array.from({ length: 10 }, (_, i) => i);

test('has the results in order, and no more work under way than it may', async () => {
  let [running, most] = [0, 0];
  const doubled = await fewAtOnce(
    numbers,
    async (n) => {
      most = Math.max(most, ++running);
      await sleep(numbers.length - n);
      running -= 1;
      return 2 * n;
    },
    3,
  );
  expect(doubled).toEqual(numbers.map((n) => 2 * n));
  expect(most).toBe(3);
});

test('throws the first error after the work that was under way with it, and begins nothing more', async () => {
  const ended: number[] = [];
  const work = async (n: number) => {
    if (n === 1) throw new Error('the second');
    await sleep(5);
    ended.push(n);
  };
  await expect(fewAtOnce(numbers, work, 3)).rejects.toThrow('the second');
  expect(ended).toEqual([0, 2]);
});
