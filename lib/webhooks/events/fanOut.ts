import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { atMost } from '../../concurrency.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { describeError, log } from '../../logs/log.ts';
import { conflictMetrics } from '../../logs/metrics.ts';
import { accountOf } from '../../records/change.ts';
import { deferChanges, workOnDeferred } from '../../records/deferChanges.ts';
import { deferredFanOut, isRedactionStep, redactPast } from '../redaction/redactionTurn.ts';
import { AccountChanges } from './accountChanges.ts';

/** The remaining changes of an account are deferred after this time, because all accounts wait for the batch. */
const budgetMs = 100;

/** The longest that the batch waits for a call that hangs. */
const callMs = 3000;

const deferMs = 3000;

/** The longest pause before the account commits again, if the queue did not accept all remaining changes. */
const retryPauseMs = 500;

const turnMs = 250;

/** The longest that an invocation continues after its deadline. */
export const fanOutAfterDeadlineMs = budgetMs + 2 * callMs + deferMs;

/**
 * Creates events from changes, with a delivery for every subscription. Each account has a time budget in a batch. Its remaining changes then go
 * to the queue of deferred changes, whatever the reason, so that no account delays the others.
 * @param deadline epoch milliseconds; changes that the queue does not accept are retried until then
 * @returns the sequence numbers of the records that the stream must deliver again
 */
export async function fanOut(records: readonly DynamoDBRecord[], deadline: number): Promise<string[]> {
  const groups = Map.groupBy(records, accountOf);
  const accounts = await Promise.all(
    [...groups].map(([account, group]) => fanOutAccount(account, group, deadline)),
  );
  const sum = (of: (batch: (typeof accounts)[number]) => number) =>
    accounts.reduce((total, batch) => total + of(batch), 0);
  log.info('fanned out', {
    records: records.length,
    deliveries: sum(({ changes }) => changes.deliveries),
    deferred: sum(({ deferred }) => deferred),
    failed: sum(({ changes }) => changes.left.size),
    ...conflictMetrics(),
  });
  return accounts.flatMap(({ changes }) =>
    [...changes.left].map(({ dynamodb }) => dynamodb?.SequenceNumber as string),
  );
}

async function fanOutAccount(
  account: string,
  records: readonly DynamoDBRecord[],
  deadline: number,
): Promise<{ changes: AccountChanges; deferred: number }> {
  const changes = new AccountChanges(account, records);
  let deferred = 0;
  for (;;) {
    const committing = changes.commit(Date.now() + budgetMs).catch((error: unknown) => {
      log.error('changes were not fanned out', { account, error: describeError(error) });
    });
    await atMost(budgetMs + callMs, committing);
    if (changes.left.size === 0) break;
    const taken = (await atMost(deferMs, deferChanges(deferredFanOut, [...changes.left]))) ?? [];
    for (const change of taken) changes.left.delete(change);
    deferred += taken.length;
    if (changes.left.size === 0 || Date.now() > deadline) break;
    await pause(retryPauseMs);
  }
  // If this time is too short, the sweep sends the remaining messages.
  await atMost(callMs, changes.sent());
  return { changes, deferred };
}

/** Creates events from deferred changes, and redacts the earlier events of deleted records. @returns the ids of the messages that failed */
export const fanOutDeferred = (messages: readonly SQSRecord[]): Promise<string[]> =>
  workOnDeferred(deferredFanOut, messages, async (account, records) => {
    const [step] = records as [DynamoDBRecord];
    if (isRedactionStep(step)) {
      const isOver = await redactPast(account, step.redacts, Date.now() + turnMs);
      return { left: isOver ? [] : [step], counts: { redactions: 1 } };
    }
    const changes = new AccountChanges(account, records);
    const error = await changes.commit(Date.now() + turnMs).catch((reason: unknown) => reason);
    await changes.sent();
    return { left: [...changes.left], error, counts: { deliveries: changes.deliveries } };
  });
