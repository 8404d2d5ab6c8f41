import { expect, test } from 'vitest';
import { quantile } from '../../bench/report/statistics.ts';
import { runWebhooks } from '../simulated.ts';
import type { FairnessResult } from './fairness.ts';

/** In virtual time, so a busy machine changes nothing. */
const slowest = ({ arrivals }: FairnessResult): number =>
  quantile(
    arrivals.map(({ ms }) => ms),
    0.99,
  );

const receivers: [name: string, { seed: number; wereQuick: boolean }][] = [
  ['have never answered', { seed: 2, wereQuick: false }],
  // The p99 of this seed is 15 seconds with half the places for batches.
  ['were quick', { seed: 5, wereQuick: true }],
];

test.each(receivers)(
  'of an account with fifteen other receivers, of which ten hang, fail or refuse and %s, a healthy one has its webhooks as when it is alone',
  async (_, { seed, wereQuick }) => {
    const load = { perSecond: 10, seconds: 30, seed, blipEvery: 50 };
    const [alone, beside] = await Promise.all([
      runWebhooks({ ...load }),
      runWebhooks({ ...load, beside: { healthy: 5, bad: 10, wereQuick } }),
    ]);
    for (const result of [alone, beside]) {
      expect(result).toMatchObject({ lost: 0, duplicates: 0 });
      expect(result.arrivals.length).toBeGreaterThan(250);
    }
    expect(slowest(beside)).toBeLessThan(2 * slowest(alone));
    expect(beside.longestGapMs).toBeLessThan(2000);
  },
);
