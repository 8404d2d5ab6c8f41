import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { messageText, sqs } from '../aws/queues.ts';
import { packed } from '../concurrency.ts';
import { isTransient } from '../dynamodb/conflicts.ts';
import { randomId } from '../ids.ts';
import { describeError, log } from '../logs/log.ts';
import { conflictMetrics } from '../logs/metrics.ts';
import { parsed } from '../values/json.ts';
import { accountOf, notedAtMs } from './change.ts';

// Changes that would delay those of other accounts wait in a queue, which SQS serves fairly by account. Each reader of the stream has
// such a queue, and a function that works on its messages.

/** A message of changes of one account. They are sent complete, because the earlier state of a record is stored nowhere else. */
export interface DeferredChanges {
  /** Random: the same changes can be in one message after another, and each has a note of its own. */
  id: string;
  changes: readonly DynamoDBRecord[];
}

export interface DeferredQueue {
  url(): string;
  /** Returns the group of a change, if it is not its account: messages of one group wait for each other. */
  groupOf?(change: DynamoDBRecord): string;
  note?(message: DeferredChanges): Promise<void>;
  /** Called when a message was not sent, and when all its changes are done or in other messages. */
  removeNote?(message: DeferredChanges): Promise<void>;
}

/** About as many as one transaction of events takes, for an account with one subscription. */
const changesMax = 50;

/**
 * SQS accepts 1 MiB. A change is at most about a half of that: the record before and after. An order has at most 190 KB in an answer,
 * and 500 lines, whose values take some 50 KB more in the form of the stream.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
const bytesMax = 1_000_000;

/** Sends changes of one account to a queue. @returns those that the queue accepted */
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
          // SQS serves the groups of a queue fairly: an account with many changes does not delay the others.
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
 * Works on messages of a queue. Changes that are left go to the end of the queue, so that no message delays the others; a change that
 * fails, or that may have killed the function, gets a message of its own.
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

/** @throws Error why the message failed */
async function workOnMessage(
  queue: DeferredQueue,
  { body, attributes }: SQSRecord,
  work: (account: string, changes: readonly DynamoDBRecord[]) => Promise<DeferredProgress>,
): Promise<void> {
  const message = readMessage(body);
  if (!message) throw new Error('The message holds no changes');
  const { changes } = message;
  const account = accountOf(changes[0] as DynamoDBRecord);
  /** @throws Error when the queue does not accept all: those that it accepted come twice then, and have one effect */
  const putBack = async (left: readonly DynamoDBRecord[], perMessage?: number): Promise<void> => {
    const taken = await deferChanges(queue, left, perMessage);
    if (taken.length < left.length) throw new Error('The queue did not take all changes');
    await queue.removeNote?.(message);
  };
  // The function was killed in the middle of the message, and any change may be the cause.
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
  // The time was over, or conflicts took all of it: then other messages made progress.
  if (error === undefined || (isTransient(error) && left.length < changes.length)) return putBack(left);
  if (!isTransient(error) && changes.length > 1) return putBack(left, 1);
  throw error;
}

/** @returns undefined when the message holds no changes */
function readMessage(body: string): DeferredChanges | undefined {
  const { id, changes } = (parsed(body) ?? {}) as { id: string; changes?: DynamoDBRecord[] };
  const isRead = Array.isArray(changes) && changes.every((change) => change?.dynamodb?.Keys?.pk?.S);
  return isRead && changes.length > 0 ? { id, changes } : undefined;
}
