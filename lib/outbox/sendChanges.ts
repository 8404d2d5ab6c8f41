import type { DynamoDBRecord } from 'aws-lambda';
import { atMost } from '../concurrency.ts';
import type { OutboxMessage } from '../contract/outboxContract.ts';
import { env, optional } from '../env.ts';
import { describeError, log } from '../logs/log.ts';
import type { StreamedChange } from '../records/change.ts';
import { readHidden } from '../records/deletion/redaction.ts';
import { isOfRecord, readChanges } from '../records/streamed.ts';
import { outboxMessageOf } from './outboxMessage.ts';
import { sendMessages } from './sendMessages.ts';

/** The time of the invocation that is reserved for the end. */
const reserveMs = 1000;

/**
 * Sends the changes of records to your app's outbox, if the stage has one. A message that is sent twice has no second effect there.
 * @param ms how long the invocation has; a call without a response before its end has failed
 * @returns the sequence numbers of the changes that the stream must deliver again
 */
export async function sendChanges(records: readonly DynamoDBRecord[], ms: number): Promise<string[]> {
  if (!optional(env.recordsOutbox)) return [];
  const { changes: all, unreadable } = readChanges(records.filter(isSent));
  const changes = all.filter(isOfRecord);
  const failed = new Set([...unreadable, ...changes.map(({ sequenceNumber }) => sequenceNumber)]);
  const sending = sendVisible(changes, (sequenceNumber) => failed.delete(sequenceNumber));
  const noteError = (error: unknown) =>
    log.error('changes were not sent to the outbox', { error: describeError(error) });
  await atMost(ms - reserveMs, sending.catch(noteError));
  if (changes.length + failed.size > 0)
    log.info('sent to the outbox', { messages: changes.length, failed: failed.size });
  return [...failed];
}

/** Sends changes. If a record was deleted since, only its deletion is sent. @param done called with the sequence number of each change */
async function sendVisible(
  changes: readonly StreamedChange[],
  done: (sequenceNumber: string) => void,
): Promise<void> {
  const refOf = ({ account, after }: StreamedChange) => ({ account, id: after.id });
  const isHidden = await readHidden(changes.filter(({ deletion }) => !deletion).map(refOf));
  const messages = new Map<OutboxMessage, string>();
  for (const change of changes) {
    if (isHidden(refOf(change)) && !change.deletion) done(change.sequenceNumber);
    else messages.set(outboxMessageOf(change), change.sequenceNumber);
  }
  await sendMessages([...messages.keys()], (taken) => {
    for (const message of taken) done(messages.get(message) as string);
  });
}

/** Returns whether the outbox gets a change. `clients` leaves out your app's own ones, except deletions: a row may exist again. */
const isSent = ({ dynamodb }: DynamoDBRecord): boolean => {
  const { origin, deleted_at } = dynamodb?.NewImage ?? {};
  return (
    optional(env.outboxChanges) === 'all' || origin?.M?.kind?.S !== 'product' || deleted_at !== undefined
  );
};
