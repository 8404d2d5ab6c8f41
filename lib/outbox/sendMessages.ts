import { batchMax, type QueueEntry, sendBatch } from '../aws/queues.ts';
import type { OutboxMessage, Refusal } from '../contract/outbox.ts';
import { env, required } from '../env.ts';
import { outboxEntryOf } from './message.ts';

/** SQS accepts 1 MiB in a call, with all attributes. A record has 190 KB at most. */
const bytesMax = 1_000_000;

/** Sends messages to the outbox, in calls of ten. @param done called with the messages that the queue has taken, for each call */
export async function sendMessages<Message extends OutboxMessage | Refusal>(
  messages: readonly Message[],
  done: (taken: readonly Message[]) => void,
): Promise<void> {
  await Promise.all(
    callsOf(messages).map(async (call) => done(await sendBatch(required(env.recordsOutbox), call))),
  );
}

function callsOf<Message extends OutboxMessage | Refusal>(
  messages: readonly Message[],
): [Message, QueueEntry][][] {
  const calls: { entries: [Message, QueueEntry][]; bytes: number }[] = [];
  for (const message of messages) {
    const entry = outboxEntryOf(message);
    const bytes = Buffer.byteLength(entry.MessageBody as string) + attributeBytes;
    const last = calls.at(-1);
    if (last && last.entries.length < batchMax && last.bytes + bytes <= bytesMax) {
      last.entries.push([message, entry]);
      last.bytes += bytes;
    } else calls.push({ entries: [[message, entry]], bytes });
  }
  return calls.map(({ entries }) => entries);
}

/** More than the names, types and values of the attributes have. */
const attributeBytes = 300;
