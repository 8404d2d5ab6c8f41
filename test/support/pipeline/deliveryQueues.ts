import type { Message } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { handler as deliverWebhook } from '../../../functions/pipeline/deliverWebhook.ts';
import { queueArn } from '../../../infra/local/queue/localQueues.ts';
import { env, required } from '../../../lib/env.ts';
import type { DeliveryQueue } from '../../../lib/webhooks/queue/messages.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import { MessageQueue } from './messageQueue.ts';
import type { OwnStack } from './ownStack.ts';

const handler = asFunction('deliverWebhook', deliverWebhook);

/** A message that was received from a queue. */
export interface ReceivedMessage extends Message {
  queue: DeliveryQueue;
}

/** How many messages were handled, and how many of these failed. */
export interface HandledMessages {
  messages: number;
  failed: number;
}

const urlOf = (queue: DeliveryQueue): string =>
  required(queue === 'quick' ? env.quickDeliveriesQueue : env.slowDeliveriesQueue);

const recordOf = ({ queue, MessageId, Body, ReceiptHandle }: ReceivedMessage): SQSRecord =>
  ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    eventSourceARN: queueArn(urlOf(queue).split('/').at(-1) as string),
  }) as SQSRecord;

/** One invocation of deliverWebhook. @returns the ids of the messages that failed */
export async function deliverBatch(messages: readonly ReceivedMessage[]): Promise<string[]> {
  const { batchItemFailures } = await handler({ Records: messages.map(recordOf) }, lambdaContext(30_000));
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

let messages = 0;

/** A received message without a queue. @param body as it is sent */
export const messageOf = (body: object, queue: DeliveryQueue = 'slow'): ReceivedMessage => ({
  queue,
  MessageId: `message-${++messages}`,
  Body: JSON.stringify(body),
});

const batchesAtOnce = 4;

/** The two queues, as the platform uses them. */
export class DeliveryQueues {
  private readonly queues = {
    quick: new MessageQueue(urlOf('quick')),
    slow: new MessageQueue(urlOf('slow')),
  };
  private readonly dead: MessageQueue;

  constructor({ deadLettersUrl }: Pick<OwnStack, 'deadLettersUrl'>) {
    this.dead = new MessageQueue(deadLettersUrl);
  }

  private async receive(queue: DeliveryQueue): Promise<ReceivedMessage[]> {
    return (await this.queues[queue].receive()).map((message) => ({ ...message, queue }));
  }

  /**
   * Handles all messages that can be received, and the messages that these cause. Several batches run at the same time.
   */
  async handleAll(): Promise<HandledMessages> {
    const handled: HandledMessages = { messages: 0, failed: 0 };
    const work = async (batch: readonly ReceivedMessage[]) => {
      const failed = await deliverBatch(batch);
      const done = batch.filter(({ MessageId = '' }) => !failed.includes(MessageId));
      await this.queues[batch[0]?.queue as DeliveryQueue].delete(done);
      handled.messages += batch.length;
      handled.failed += failed.length;
    };
    for (let width = 1; ; width = Math.min(batchesAtOnce, 2 * width)) {
      const receives = Array.from({ length: width }, () => [
        this.receive('quick'),
        this.receive('slow'),
      ]).flat();
      const batches = (await Promise.all(receives)).filter(({ length }) => length > 0);
      if (batches.length === 0) return handled;
      await Promise.all(batches.map(work));
    }
  }

  put(queue: DeliveryQueue, body: string): Promise<void> {
    return this.queues[queue].put(body);
  }

  async purge(): Promise<void> {
    for (const queue of Object.values(this.queues)) await queue.purge();
  }

  deadLetters(): Promise<string[]> {
    return this.dead.bodies();
  }

  close(): void {
    for (const queue of [...Object.values(this.queues), this.dead]) queue.close();
  }
}
