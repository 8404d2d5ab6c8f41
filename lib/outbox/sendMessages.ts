import { sendBatch, sqsBatchMax } from '../aws/queues.ts';
import { packed } from '../concurrency.ts';
import type { OutboxMessage, Refusal } from '../contract/outboxContract.ts';
import { env, required } from '../env.ts';
import { outboxEntryOf } from './outboxMessage.ts';

/** SQS accepts 1 MiB in a call, including all attributes. A record has at most 190 KB. */
const bytesMax = 1_000_000;

/** Sends messages to the outbox, ten in each call. @param done called after each call with the messages that the queue has accepted */
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

/** More than the names, types and values of the attributes take. */
const attributeBytes = 300;
