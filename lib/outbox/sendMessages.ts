import { sendBatch, sqsBatchMax } from '../aws/queues.ts';
import { packed } from '../concurrency.ts';
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
  const entries = messages.map((message) => {
    const entry = outboxEntryOf(message);
    const bytes = Buffer.byteLength(entry.MessageBody as string) + attributeBytes;
    return { sent: [message, entry] as const, bytes };
  });
  const calls = packed(entries, { entriesMax: sqsBatchMax, bytesMax }).map((call) =>
    call.map(({ sent }) => sent),
  );
  await Promise.all(calls.map(async (call) => done(await sendBatch(required(env.recordsOutbox), call))));
}

/** More than the names, types and values of the attributes have. */
const attributeBytes = 300;
