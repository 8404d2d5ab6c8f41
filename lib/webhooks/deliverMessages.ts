import type { SQSRecord } from 'aws-lambda';
import { GatheredReads } from '../dynamodb/gatheredReads.ts';
import { webhooks } from '../dynamodb/tables.ts';
import { env, required } from '../env.ts';
import { describeError, log } from '../logs/log.ts';
import { deliver } from './deliveries/deliver.ts';
import { type DeliveryQueue, readWebhookMessage, type WebhookMessage } from './queue/messages.ts';
import { runRecovery } from './recovery/recovery.ts';
import { continueRedelivery } from './redelivery/bulkRedelivery.ts';

/**
 * Handles the delivery messages of one invocation, all at the same time, because most of the work is waiting for receivers.
 * @returns the ids of the messages that failed
 */
export async function deliverMessages(messages: readonly SQSRecord[]): Promise<string[]> {
  const failed: string[] = [];
  const reads = new GatheredReads(webhooks.name);
  await Promise.all(
    messages.map(async ({ messageId, body, eventSourceARN }) => {
      const message = readWebhookMessage(body);
      try {
        if (!message) throw new Error('The message is none of ours');
        await run(message, queueOf(eventSourceARN), reads);
      } catch (error) {
        log.error('a delivery message failed', {
          ...message,
          message_id: messageId,
          error: describeError(error),
        });
        failed.push(messageId);
      }
    }),
  );
  return failed;
}

function run(message: WebhookMessage, queue: DeliveryQueue, reads: GatheredReads): Promise<void> {
  if (message.kind === 'delivery') return deliver(message, queue, reads);
  return message.redelivery_id === undefined
    ? runRecovery(message, reads)
    : continueRedelivery(message, message.redelivery_id, reads);
}

/** Returns the queue of an ARN. A queue has the same name in its URL and in its ARN. */
const queueOf = (arn: string): DeliveryQueue =>
  required(env.slowDeliveriesQueue).split('/').at(-1) === arn.split(':').at(-1) ? 'slow' : 'quick';
