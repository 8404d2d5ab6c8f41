import { SendMessageBatchCommand, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import { env, required } from '../env.ts';
import { describeError, log } from '../log.ts';
import { sqs } from '../queues.ts';
import { type OutboxMessage, outboxEntryOf } from './message.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const entriesMax = 10;

/** SQS accepts 1 MiB in a call, with all attributes. A record has 190 KB at most. */
const bytesMax = 1_000_000;

type Entry = Omit<SendMessageBatchRequestEntry, 'Id'>;

/**
 * Sends messages to the outbox, in calls of ten.
 * @param done called with the messages that the queue has taken, for each call
 */
export async function sendMessages<Message extends OutboxMessage>(
  messages: readonly Message[],
  done: (taken: readonly Message[]) => void,
): Promise<void> {
  await Promise.all(callsOf(messages).map(async (call) => done(await send(call))));
}

/** The messages of each call, with their entries. */
function callsOf<Message extends OutboxMessage>(messages: readonly Message[]): [Message, Entry][][] {
  const calls: { entries: [Message, Entry][]; bytes: number }[] = [];
  for (const message of messages) {
    const entry = outboxEntryOf(message);
    const bytes = Buffer.byteLength(entry.MessageBody as string) + attributeBytes;
    const last = calls.at(-1);
    if (last && last.entries.length < entriesMax && last.bytes + bytes <= bytesMax) {
      last.entries.push([message, entry]);
      last.bytes += bytes;
    } else calls.push({ entries: [[message, entry]], bytes });
  }
  return calls.map(({ entries }) => entries);
}

/** More than the names, types and values of the attributes have. */
const attributeBytes = 300;

/** @returns the messages that the queue has taken */
async function send<Message>(call: readonly [Message, Entry][]): Promise<Message[]> {
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: required(env.recordsOutbox),
        Entries: call.map(([, entry], i) => ({ ...entry, Id: String(i) })),
      }),
    );
    if (Failed.length > 0)
      log.warn('the outbox refused messages', { count: Failed.length, code: Failed[0]?.Code });
    const failed = new Set(Failed.map(({ Id }) => Number(Id)));
    return call.flatMap(([message], i) => (failed.has(i) ? [] : [message]));
  } catch (error) {
    log.warn('messages were not sent to the outbox', { count: call.length, error: describeError(error) });
    return [];
  }
}
