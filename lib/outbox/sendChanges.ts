import type { DynamoDBRecord } from 'aws-lambda';
import { atMost } from '../concurrency.ts';
import type { OutboxMessage } from '../contract/outbox.ts';
import { env, optional } from '../env.ts';
import { describeError, log } from '../logs/log.ts';
import { readChange } from '../records/change.ts';
import { outboxMessageOf } from './message.ts';
import { sendMessages } from './sendMessages.ts';

/** The time that is left of the invocation then. */
const reserveMs = 1000;

/**
 * Sends the changes of records to the outbox of the product, if the stage has one. What is sent twice has no second effect there.
 * @param ms how long the invocation has: a call that is not answered before its end has failed
 * @returns the sequence numbers of the changes that the stream has to hand over again
 */
export async function sendChanges(records: readonly DynamoDBRecord[], ms: number): Promise<string[]> {
  if (!optional(env.recordsOutbox)) return [];
  const failed = new Set<string>();
  const messages = new Map<OutboxMessage, string>();
  for (const record of records.filter(isSent)) {
    const sequenceNumber = record.dynamodb?.SequenceNumber as string;
    try {
      const change = readChange(record);
      if (change) messages.set(outboxMessageOf(change), sequenceNumber);
    } catch (error) {
      log.error('a change cannot be sent to the outbox', {
        sequence_number: sequenceNumber,
        error: describeError(error),
      });
      failed.add(sequenceNumber);
    }
  }
  for (const sequenceNumber of messages.values()) failed.add(sequenceNumber);
  const sending = sendMessages([...messages.keys()], (taken) => {
    for (const message of taken) failed.delete(messages.get(message) as string);
  });
  await atMost(ms - reserveMs, sending);
  if (messages.size + failed.size > 0)
    log.info('sent to the outbox', { messages: messages.size, failed: failed.size });
  return [...failed];
}

/** Whether the outbox gets a change: the outbox of `clients` has none that the product has made. */
const isSent = ({ dynamodb }: DynamoDBRecord): boolean =>
  optional(env.outboxChanges) === 'all' || dynamodb?.NewImage?.origin?.M?.kind?.S !== 'product';
