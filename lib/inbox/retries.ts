import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../aws/queues.ts';
import { env, required } from '../env.ts';
import { describeError, log } from '../logs/log.ts';
import { type InboxMessage, ingest } from './ingest.ts';

export interface ReceivedMessage extends InboxMessage {
  receipt: string;
  /** How often the message was received, including this time. */
  receives: number;
  /** Whether the message comes from the retry queue. */
  isRetry?: boolean;
  group?: string | undefined;
}

/**
 * Moves messages to the end of the retry queue, from which they are received one at a time. Each message is sent before it is deleted. A crash
 * in between leaves the message in both queues, which is harmless, and never loses it.
 * @returns the ids of the messages that stay in their queue
 */
export async function moveToRetries(messages: readonly ReceivedMessage[]): Promise<string[]> {
  if (messages.length === 0) return [];
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

const queueOf = ({ isRetry }: ReceivedMessage): string =>
  required(isRetry ? env.recordsRetries : env.recordsInbox);

async function move(message: ReceivedMessage): Promise<void> {
  const { body, receipt, group } = message;
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: required(env.recordsRetries),
      MessageBody: body,
      // SQS shares the queue fairly among message groups.
      ...(group === undefined ? {} : { MessageGroupId: group }),
    }),
  );
  // Delete the message now rather than with the result of the invocation. If the invocation died, the message would be in both queues.
  await sqs().send(new DeleteMessageCommand({ QueueUrl: queueOf(message), ReceiptHandle: receipt }));
}

/** Seconds until a waiting message is received again, after its first, second and later receives. */
const waitSeconds = [3, 10, 20];

/** Makes a message visible again within seconds, before the rest of its batch. If this fails, it becomes visible with its batch. */
async function comeSoon(message: ReceivedMessage): Promise<void> {
  const { id, receipt, receives } = message;
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl: queueOf(message),
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
 * Processes a batch of a queue. If an invocation dies, all its messages return, and nobody knows which one was the cause. A returned message is
 * therefore never processed together with others. It goes to the retry queue, where it gets an invocation of its own. A message whose step has
 * ended also goes there. Its receives then count from the start, so a message with many steps does not become a dead letter.
 * @param deadline epoch milliseconds after which no more work begins
 * @returns the ids of the messages that must be received again
 */
export async function ingestBatch(messages: readonly ReceivedMessage[], deadline: number): Promise<string[]> {
  const comeBack = messages.length === 1 ? [] : messages.filter(({ receives }) => receives > 1);
  const stay = await moveToRetries(comeBack);
  const taken = messages.filter((message) => !comeBack.includes(message));
  const [waiting, left] = [new Set<string>(), new Set<string>()];
  const failed = await ingest(taken, deadline, (id, goesOn) => (goesOn ? left : waiting).add(id));
  await Promise.all(taken.filter(({ id }) => waiting.has(id)).map(comeSoon));
  const leftThere = await moveToRetries(taken.filter(({ id }) => left.has(id)));
  return [...stay, ...leftThere, ...failed.filter((id) => !left.has(id))];
}
