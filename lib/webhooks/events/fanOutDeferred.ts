import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { isTransient } from '../../dynamodb/conflicts.ts';
import { describeError, log } from '../../logs/log.ts';
import { conflictMetrics } from '../../logs/metrics.ts';
import { accountOf } from '../../records/change.ts';
import { AccountChanges } from './accountChanges.ts';
import { deferChanges, readDeferred } from './deferredChanges.ts';

/** How long a message is worked on. Its other changes go to the end of the queue then, so that no message delays the others. */
const turnMs = 250;

/** Fans out deferred changes. @returns the ids of the messages that failed */
export async function fanOutDeferred(messages: readonly SQSRecord[]): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    messages.map(async (message) => {
      try {
        await fanOutMessage(message);
      } catch (error) {
        const { messageId: message_id } = message;
        log.error('deferred changes were not fanned out', { message_id, error: describeError(error) });
        failed.push(message_id);
      }
    }),
  );
  return failed;
}

/** @throws Error why the message failed */
async function fanOutMessage({ body, attributes }: SQSRecord): Promise<void> {
  const changes = readDeferred(body);
  if (!changes) throw new Error('The message holds no changes');
  // The function was killed in the middle of the message, and any change may be the cause: each gets a message of its own.
  if (Number(attributes.ApproximateReceiveCount) > 1 && changes.length > 1) return deferAgain(changes, 1);
  const account = accountOf(changes[0]);
  const work = new AccountChanges(account, changes);
  const error = await work.commit(Date.now() + turnMs).catch((reason: unknown) => reason);
  await work.sent();
  const left = [...work.left];
  const { deliveries } = work;
  log.info('fanned out', {
    account,
    records: changes.length,
    deliveries,
    left: left.length,
    ...conflictMetrics(),
  });
  if (left.length === 0) return;
  // The time was over, or conflicts took all of it: then other messages made progress.
  if (error === undefined) return deferAgain(left);
  if (!isTransient(error) && changes.length > 1) return deferAgain(left, 1);
  if (isTransient(error) && left.length < changes.length) return deferAgain(left);
  throw error;
}

/** @throws Error when the queue does not accept all changes: those that it accepted come twice then, and have one effect */
async function deferAgain(changes: readonly DynamoDBRecord[], perMessage?: number): Promise<void> {
  const taken = await deferChanges(changes, perMessage);
  if (taken.length < changes.length) throw new Error('The queue did not take all changes');
}
