import { expect, test } from 'vitest';
import { quantile } from '../../bench/report/statistics.ts';
import { runIndex } from '../simulated.ts';

/** In virtual time, so a busy machine changes nothing. */
const slowest = (times: readonly number[]): number => quantile(times, 0.99);

test('whoever creates many contacts with tags of their own does not double the time until the feed and the filters of another account follow', async () => {
  const load = { perSecond: 15, seconds: 4, tags: 50, seed: 1 };
  const [alone, together] = await Promise.all([
    runIndex({ ...load, batches: 0 }),
    runIndex({ ...load, batches: 5 }),
  ]);
  expect(slowest(together.feed)).toBeLessThan(2 * slowest(alone.feed));
  expect(slowest(together.filter)).toBeLessThan(2 * slowest(alone.filter));
  // Its own filters wait, and a note says so; the table has most of its units for others.
  expect(together.others).toMatchObject({ created: 2000 });
  expect(together.others.indexed).toBeGreaterThan(0);
  expect(together).toMatchObject({ unnoted: 0, throttled: 0 });
  expect(together.writeUnits / load.seconds).toBeLessThan(4000);
});
