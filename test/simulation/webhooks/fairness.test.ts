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

test('of an account with fifteen other receivers, of which ten hang, fail or refuse, a healthy one has its webhooks as when it is alone', async () => {
  const load = { perSecond: 10, seconds: 60, atOnce: 0, others: 0, seed: 2, blipEvery: 50 };
  const [alone, beside] = await Promise.all([
    runFairness({ ...load }),
    runFairness({ ...load, beside: { healthy: 5, bad: 10 } }),
  ]);
  for (const result of [alone, beside]) {
    expect(result).toMatchObject({ lost: 0, duplicates: 0 });
    expect(result.arrivals.length).toBeGreaterThan(500);
  }
  expect(slowest(beside)).toBeLessThan(2 * slowest(alone));
  const times = beside.arrivals.map(({ changedAt, ms }) => changedAt + ms).sort((a, b) => a - b);
  const gaps = times.slice(1).map((at, i) => at - (times[i] as number));
  expect(Math.max(...gaps)).toBeLessThan(2000);
});
