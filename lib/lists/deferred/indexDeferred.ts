import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import { describeError, log } from '../../logs/log.ts';
import { conflictMetrics } from '../../logs/metrics.ts';
import { collectionOf } from '../../resources/collections.ts';
import { collectionSource } from '../currentRecords.ts';
import { maintain, type NamedItem } from '../maintain.ts';
import { noteIfLate } from '../times.ts';
import { deferItems } from './deferItems.ts';
import { type ItemsMessage, readItems } from './deferredItems.ts';
import { removeNote } from './notes.ts';

/**
 * How many items a second an invocation writes. Two run at once, so deferred items take 1,000 write units a second, and leave the rest
 * of the table to all others: a new table has 4,000.
 */
const itemsPerSecond = 500;

/**
 * Writes deferred items.
 * @param deadline epoch milliseconds; conflicts, and errors that may pass, are retried until then
 * @returns the ids of the messages that failed
 */
export async function indexDeferred(messages: readonly SQSRecord[], deadline: number): Promise<string[]> {
  const failed: string[] = [];
  for (const message of messages)
    try {
      await indexMessage(message, deadline);
    } catch (error) {
      const { messageId: message_id } = message;
      log.error('deferred items were not indexed', { message_id, error: describeError(error) });
      failed.push(message_id);
    }
  return failed;
}

/** @throws Error why the message failed */
async function indexMessage({ body, attributes }: SQSRecord, deadline: number): Promise<void> {
  const message = readItems(body);
  if (!message) throw new Error('The message names no items');
  const { account, type, items, since } = message;
  // The function was killed in the middle of the message, and any item may be the cause.
  if (Number(attributes.ApproximateReceiveCount) > 1 && items.length > 1) return halve(message);
  const startedAt = Date.now();
  // One call at a time, because nobody waits for it.
  const source = { ...collectionSource(collectionOf(type), account), batchesAtOnce: 1 };
  let left: readonly NamedItem[];
  await noteIfLate({ account, type }, since);
  try {
    left = await maintain(source, items, deadline);
  } catch (error) {
    if (items.length === 1) throw error;
    return halve(message);
  }
  if (left.length > 0) throw new Error(`${left.length} items were not written in time`);
  await removeNote(message);
  const waitedSeconds = Math.round((Date.now() - Date.parse(since)) / 1000);
  log.info('deferred items were indexed', {
    account,
    items: items.length,
    waited_seconds: waitedSeconds,
    ...conflictMetrics(),
  });
  await sleep(Math.max(0, startedAt + (1000 * items.length) / itemsPerSecond - Date.now()));
}

/** Puts each half of a message back into the queue, so that an item that fails is soon alone. */
async function halve(message: ItemsMessage): Promise<void> {
  const refused = await deferItems(message, Math.ceil(message.items.length / 2));
  if (refused.length > 0) throw new Error('The queue did not take all items');
  await removeNote(message);
}
