import { expect, test } from 'vitest';
import { quantile } from '../../bench/report/statistics.ts';
import type { FairnessResult } from './fairness.ts';
import { runFairness } from './runFairness.ts';

/** In virtual time, so a busy machine changes nothing. */
const slowest = ({ arrivals }: FairnessResult): number =>
  quantile(
    arrivals.map(({ ms }) => ms),
    0.99,
  );

test('whoever makes many changes for many receivers does not double the time of the webhooks of another account', async () => {
  const load = { perSecond: 15, seconds: 6, atOnce: 100, seed: 1 };
  const [alone, together] = await Promise.all([
    runFairness({ ...load, others: 0 }),
    runFairness({ ...load, others: 25 }),
  ]);
  for (const result of [alone, together]) expect(result).toMatchObject({ lost: 0, duplicates: 0 });
  expect(together.others).toBeGreaterThanOrEqual(2500);
  expect(slowest(together)).toBeLessThan(2 * slowest(alone));
});
