import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { messageText, sqs } from '../aws/queues.ts';
import { packed } from '../concurrency.ts';
import { isTransient } from '../dynamodb/conflicts.ts';
import { randomId } from '../ids.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics } from '../logs/metrics.ts';
import { parsed } from '../schemas/json.ts';
import { accountOf, notedAtMs } from './change.ts';

// Changes that would delay those of other accounts wait in a queue, which SQS shares fairly among accounts. Each reader of the stream has such
// a queue, and a function that processes its messages.

/** A message with changes of one account. It contains the complete changes, because the earlier state of a record is stored nowhere else. */
export interface DeferredChanges {
  /** Random, because consecutive messages can contain the same changes, and each message has a note of its own. */
  id: string;
  changes: readonly DynamoDBRecord[];
}

export interface DeferredQueue {
  url(): string;
  /** Returns the group of a change, if it differs from its account. Messages of one group wait for each other. */
  groupOf?(change: DynamoDBRecord): string;
  note?(message: DeferredChanges): Promise<void>;
  /** Called if a message was not sent, and after all its changes are done or in other messages. */
  removeNote?(message: DeferredChanges): Promise<void>;
}

/** About as many changes as fit into one transaction of events, for an account with one subscription. */
const changesMax = 50;

/**
 * SQS accepts 1 MiB. A change takes at most about half of that, because it contains the record before and after. An order takes at most 190 KB
 * in a response. Its lines, at most 500, take some 50 KB more in the format of the stream.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const bytesMax = 1_000_000;

/** Sends changes of one account to a queue. @returns the changes that the queue accepted */
export async function deferChanges(
  queue: DeferredQueue,
  changes: readonly DynamoDBRecord[],
  perMessage = changesMax,
): Promise<DynamoDBRecord[]> {
  const parts = changes.map((change) => {
    const text = messageText(change);
    return { change, text, bytes: Buffer.byteLength(text) + 1 };
  });
  const messages = packed(parts, { entriesMax: perMessage, bytesMax });
  return (await Promise.all(messages.map((message) => send(queue, message)))).flat();
}

async function send(
  queue: DeferredQueue,
  parts: readonly { change: DynamoDBRecord; text: string }[],
): Promise<DynamoDBRecord[]> {
  const changes = parts.map(({ change }) => change);
  const account = accountOf(changes[0] as DynamoDBRecord);
  const message = { id: randomId('deferred'), changes };
  try {
    await queue.note?.(message);
    try {
      await sqs().send(
        new SendMessageCommand({
          QueueUrl: queue.url(),
          MessageBody: `{"id":"${message.id}","changes":[${parts.map(({ text }) => text).join(',')}]}`,
          // SQS shares a queue fairly among its groups, so an account with many changes does not delay the others.
          MessageGroupId: queue.groupOf?.(changes[0] as DynamoDBRecord) ?? account,
        }),
      );
    } catch (error) {
      await queue.removeNote?.(message);
      throw error;
    }
    return changes;
  } catch (error) {
    log.warn('changes were not deferred', { account, count: changes.length, error: describeError(error) });
    return [];
  }
}

export interface DeferredProgress {
  left: readonly DynamoDBRecord[];
  error?: unknown;
  counts?: Record<string, number>;
}

/**
 * Processes messages of a queue. Unfinished changes go to the end of the queue, so that no message delays the others. A change that fails, or
 * that may have killed the function, gets a message of its own.
 * @returns the ids of the messages that failed
 */
export async function workOnDeferred(
  queue: DeferredQueue,
  messages: readonly SQSRecord[],
  work: (account: string, changes: readonly DynamoDBRecord[]) => Promise<DeferredProgress>,
): Promise<string[]> {
  const failed: string[] = [];
  for (const message of messages)
    try {
      await workOnMessage(queue, message, work);
    } catch (error) {
      const { messageId: message_id } = message;
      log.error('deferred changes failed', { message_id, error: describeError(error) });
      failed.push(message_id);
    }
  return failed;
}

/** @throws Error the reason why the message failed */
async function workOnMessage(
  queue: DeferredQueue,
  { body, attributes }: SQSRecord,
  work: (account: string, changes: readonly DynamoDBRecord[]) => Promise<DeferredProgress>,
): Promise<void> {
  const message = readMessage(body);
  if (!message) throw new Error('The message holds no changes');
  const { changes } = message;
  const account = accountOf(changes[0] as DynamoDBRecord);
  /** @throws Error if the queue does not accept all changes; those that it accepted then arrive twice, but take effect once */
  const putBack = async (left: readonly DynamoDBRecord[], perMessage?: number): Promise<void> => {
    const taken = await deferChanges(queue, left, perMessage);
    if (taken.length < left.length) throw new Error('The queue did not take all changes');
    await queue.removeNote?.(message);
  };
  // The function was killed while it processed the message, and any change may be the cause.
  if (Number(attributes.ApproximateReceiveCount) > 1 && changes.length > 1) return putBack(changes, 1);
  const { left, error, counts } = await work(account, changes).catch(
    (thrown: unknown): DeferredProgress => ({ left: changes, error: thrown }),
  );
  log.info('deferred changes', {
    account,
    changes: changes.length,
    left: left.length,
    ...counts,
    waited_seconds: Math.round((Date.now() - Math.min(...changes.map(notedAtMs))) / 1000),
    ...conflictMetrics(),
  });
  if (left.length === 0) return queue.removeNote?.(message);
  // Time ran out, or conflicts used all of it. In both cases, other messages made progress.
  if (error === undefined || (isTransient(error) && left.length < changes.length)) return putBack(left);
  if (!isTransient(error) && changes.length > 1) return putBack(left, 1);
  throw error;
}

/** @returns undefined if the message contains no changes */
function readMessage(body: string): DeferredChanges | undefined {
  const { id, changes } = (parsed(body) ?? {}) as { id: string; changes?: DynamoDBRecord[] };
  const isRead = Array.isArray(changes) && changes.every((change) => change?.dynamodb?.Keys?.pk?.S);
  return isRead && changes.length > 0 ? { id, changes } : undefined;
}
