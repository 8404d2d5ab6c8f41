import type { SQSRecord } from 'aws-lambda';
import { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { SlotReservations } from '../pace/slotReservations.ts';
import { runOrder } from '../recovery/runOrder.ts';
import { continueRedelivery } from '../redelivery/continueRedelivery.ts';
import { CircuitBreaker } from './circuitBreaker.ts';
import { deliver } from './deliver.ts';
import { type DeliveryQueue, readDeliveryMessage } from './deliveryQueue.ts';

/**
 * Handles the delivery messages of one invocation, all at the same time: most of the work is waiting for receivers.
 * @returns the ids of those that failed
 */
export async function deliverMessages(messages: readonly SQSRecord[]): Promise<string[]> {
  const failed: string[] = [];
  const invocation = {
    breaker: new CircuitBreaker(),
    reads: new GatheredReads(required(env.webhooksTable)),
    slots: new SlotReservations(),
  };
  await Promise.all(
    messages.map(async ({ messageId, body, eventSourceARN }) => {
      const message = readDeliveryMessage(body);
      try {
        if (!message) throw new Error('The message names no delivery and no order');
        if ('due' in message) await runOrder(message, invocation.reads);
        else if ('run' in message) await continueRedelivery(message);
        else await deliver(message, queueOf(eventSourceARN), invocation);
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

/** A queue has the same name in its URL as in its ARN. */
const queueOf = (arn: string): DeliveryQueue =>
  required(env.slowDeliveriesQueue).split('/').at(-1) === arn.split(':').at(-1) ? 'slow' : 'quick';
