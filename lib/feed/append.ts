import { atMost } from '../concurrency.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics } from '../logs/metrics.ts';
import type { Streamed } from '../records/streamed.ts';
import { AccountFeed } from './accountFeed.ts';

/** How long a call may take beyond the deadline. A batch does not wait for a call that hangs. */
export const afterDeadlineMs = 3000;

/**
 * Numbers changes and appends them to the feeds of their accounts: each once, in the order of versions of its record.
 * Accounts do not wait for each other. There is no shorter time for an account, as webhooks have it: a queue could hand a later
 * version over first, and the stream cannot pass over a change.
 * @param deadline epoch milliseconds
 * @returns the sequence numbers of the changes that the stream has to hand over again
 */
export async function appendChanges(changes: readonly Streamed[], deadline: number): Promise<string[]> {
  const feeds = [...Map.groupBy(changes, ({ account }) => account)].map(
    ([account, group]) => new AccountFeed(account, group),
  );
  await Promise.all(
    feeds.map(async (feed) => {
      const appending = feed.append(deadline).catch((error: unknown) => {
        log.error('changes were not numbered', { account: feed.account, error: describeError(error) });
      });
      await atMost(Math.max(0, deadline - Date.now()) + afterDeadlineMs, appending);
    }),
  );
  const failed = feeds.flatMap(({ left }) => left);
  log.info('changes numbered', {
    changes: changes.length,
    numbered: feeds.reduce((sum, { numbered }) => sum + numbered, 0),
    failed: failed.length,
    ...conflictMetrics(),
  });
  return failed.map(({ sequenceNumber }) => sequenceNumber);
}
