import { DeleteMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { env, required } from '../env.ts';
import { describeError, log } from '../log.ts';
import { sqs } from '../queues.ts';
import type { Message } from './ingest.ts';

/** A message as a queue handed it over. */
export interface Received extends Message {
  /** What deletes it. */
  receipt: string;
  /** How often it has been handed over, this time included. */
  receives: number;
  /** The group that it was sent with, if any. */
  group?: string | undefined;
}

/**
 * Moves messages of the inbox to the queue for retries, which hands them over one at a time. Each is sent before it is
 * deleted: what stops in between sends it twice, which changes nothing, and never loses it.
 * @returns the ids of those that stay in the inbox
 */
export async function moveToRetries(messages: readonly Received[]): Promise<string[]> {
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

async function move({ body, receipt, group }: Received): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: required(env.recordsRetries),
      MessageBody: body,
      // So that SQS goes on serving groups fairly.
      ...(group === undefined ? {} : { MessageGroupId: group }),
    }),
  );
  // At once, and not with the answer: were this invocation to die, the message would be in both queues.
  await sqs().send(
    new DeleteMessageCommand({ QueueUrl: required(env.recordsInbox), ReceiptHandle: receipt }),
  );
}
