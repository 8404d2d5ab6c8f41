import { expect, test } from 'vitest';
import { quantile } from '../../bench/report/statistics.ts';
import { runInbox } from '../simulated.ts';

/** What a deletion writes: tombstone, note of its row, mark at its events, and its part of what a transaction writes once. */
const unitsOfDeletion = 12;

test('300 deletions of an account at once take no time from another, and little from themselves', async () => {
  const [alone, together] = await Promise.all([0, 300].map((deletions) => runInbox({ deletions, seed: 1 })));
  for (const share of [0.5, 0.99])
    expect(quantile(together?.others ?? [], share)).toBeLessThan(1.3 * quantile(alone?.others ?? [], share));
  const { writeUnits = 0, deletionsMs } = together ?? {};
  expect(writeUnits - (alone?.writeUnits ?? 0)).toBeLessThan(300 * unitsOfDeletion);
  expect(deletionsMs).toBeLessThan(3000);
});
