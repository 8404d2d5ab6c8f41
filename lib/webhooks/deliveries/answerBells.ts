import type { SQSRecord } from 'aws-lambda';
import { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { deliver } from './deliver.ts';
import type { Lane } from './deliveryQueue.ts';
import { readBell } from './deliveryQueue.ts';
import { HostRound } from './hostRound.ts';

/** Answers messages side by side: who waits for one receiver can wait for ten. @returns the ids of those that failed */
export async function answerBells(messages: readonly SQSRecord[]): Promise<string[]> {
  const failed: string[] = [];
  const invocation = { round: new HostRound(), reads: new GatheredReads(required(env.webhooksTable)) };
  await Promise.all(
    messages.map(async ({ messageId, body, eventSourceARN }) => {
      const bell = readBell(body);
      try {
        if (!bell) throw new Error('The message is no bell');
        await deliver(bell, laneOf(eventSourceARN), invocation);
      } catch (error) {
        log.error('a delivery message failed', {
          ...bell,
          message_id: messageId,
          error: describeError(error),
        });
        failed.push(messageId);
      }
    }),
  );
  return failed;
}

/** A queue has the same name in its URL as in its ARN. */
const laneOf = (arn: string): Lane =>
  required(env.slowDeliveriesQueue).split('/').at(-1) === arn.split(':').at(-1) ? 'slow' : 'main';
