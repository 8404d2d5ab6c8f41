import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../aws/queues.ts';
import { env, required } from '../env.ts';
import { describeError, log } from '../logs/log.ts';
import { ingest, type Message } from './ingest.ts';

export interface ReceivedMessage extends Message {
  receipt: string;
  /** How often it has been received, this time included. */
  receives: number;
  /** Whether it comes from the retry queue. */
  isRetry?: boolean;
  group?: string | undefined;
}

/**
 * Moves messages of the inbox to the retry queue, from which they are received one at a time. Each is sent before it is deleted.
 * A crash in between leaves it in both queues, which changes nothing, and never loses it.
 * @returns the ids of the messages that stay in the inbox
 */
export async function moveToRetries(messages: readonly ReceivedMessage[]): Promise<string[]> {
  const moves = await Promise.allSettled(messages.map(move));
  const stay = messages.filter((_, i) => moves[i]?.status === 'rejected').map(({ id }) => id);
  const failure = moves.find((one) => one.status === 'rejected');
  log.info('messages go to the retries', { messages: messages.length - stay.length });
  if (failure)
    log.error('messages could not go to the retries', {
      message_ids: stay,
      error: describeError(failure.reason),
    });
  return stay;
}

async function move({ body, receipt, group }: ReceivedMessage): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: required(env.recordsRetries),
      MessageBody: body,
      // SQS serves groups fairly.
      ...(group === undefined ? {} : { MessageGroupId: group }),
    }),
  );
  // Now, and not with the result of the invocation: if it died, the message would be in both queues.
  await sqs().send(
    new DeleteMessageCommand({ QueueUrl: required(env.recordsInbox), ReceiptHandle: receipt }),
  );
}

/** Seconds until a message that waits for another one is received again, after its first receives. */
const waitSeconds = [3, 10, 20];

/** Lets a message come again in seconds, and not when its batch would. If that fails, it comes then. */
async function comeSoon({ id, receipt, receives, isRetry }: ReceivedMessage): Promise<void> {
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl: required(isRetry ? env.recordsRetries : env.recordsInbox),
    ReceiptHandle: receipt,
    VisibilityTimeout: waitSeconds[receives - 1] ?? waitSeconds.at(-1),
  });
  try {
    await sqs().send(command);
  } catch (error) {
    log.warn('a message that waits comes later', { message_id: id, error: describeError(error) });
  }
}

/**
 * Processes a batch of a queue. When an invocation dies, all its messages come back, and the cause is unknown. So a message that
 * comes back is never processed together with others: it goes to the retry queue, where it has an invocation of its own.
 * @param deadline epoch milliseconds after which no more work begins
 * @returns the ids of the messages that have to be received again
 */
export async function ingestBatch(messages: readonly ReceivedMessage[], deadline: number): Promise<string[]> {
  const comeBack = messages.length === 1 ? [] : messages.filter(({ receives }) => receives > 1);
  const stay = comeBack.length > 0 ? await moveToRetries(comeBack) : [];
  const taken = messages.filter((message) => !comeBack.includes(message));
  const waiting = new Set<string>();
  const failed = await ingest(taken, deadline, (id) => waiting.add(id));
  await Promise.all(taken.filter(({ id }) => waiting.has(id)).map(comeSoon));
  return [...stay, ...failed];
}
