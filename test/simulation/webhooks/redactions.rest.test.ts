import { expect, test } from 'vitest';
import { quantile } from '../../bench/report/statistics.ts';
import { runRedactions } from '../simulated.ts';

/** The stream hands a change over within about 0.3 s. */
const streamMs = 350;
const second = 1000;
const quiet = { quotes: true, seconds: 0, seed: 1 };

test.each([
  [250, 2, second],
  [1000, 25, 30 * second],
])(
  'of %i versions with %i subscriptions, subscribers are told at once, and the past is redacted in time',
  async (versions, subscriptions, ms) => {
    const { toldMs, redactedMs } = await runRedactions({ deletions: 1, versions, subscriptions, ...quiet });
    expect(toldMs[0]).toBeLessThan(200 + streamMs);
    expect(redactedMs[0]).toBeLessThan(ms + streamMs);
  },
);

test('300 deletions at once do not delay the webhooks of other accounts', async () => {
  const load = { versions: 40, subscriptions: 3, quotes: true, seconds: 40, seed: 1 };
  const [alone, alongside] = await Promise.all([
    runRedactions({ ...load, deletions: 0 }),
    runRedactions({ ...load, deletions: 300 }),
  ]);
  expect(alongside.redactedMs).toHaveLength(300);
  // None waits for the redaction of another one.
  expect(Math.max(...alongside.toldMs)).toBeLessThan(3 * second);
  for (const by of ['streamMs', 'deferredMs'] as const)
    expect(quantile(alongside[by], 0.99)).toBeLessThan(2.5 * quantile(alone[by], 0.99));
});
