import {
  DeleteMessageBatchCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { handler as deliverWebhook } from '../../../functions/pipeline/deliverWebhook.ts';
import { queueArn, sqsClient } from '../../../infra/local/queue/queues.ts';
import { env, required } from '../../../lib/env.ts';
import type { DeliveryQueue } from '../../../lib/webhooks/queue/messages.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
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

const receivedAtOnce = 10;
const batchesAtOnce = 4;

/** The two queues, as the platform uses them. */
export class DeliveryQueues {
  private readonly client: SQSClient;
  private readonly deadLettersUrl: string;

  constructor({ queuesEndpoint, deadLettersUrl }: OwnStack) {
    this.client = sqsClient(queuesEndpoint);
    this.deadLettersUrl = deadLettersUrl;
  }

  async receive(queue: DeliveryQueue, MaxNumberOfMessages = receivedAtOnce): Promise<ReceivedMessage[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({ QueueUrl: urlOf(queue), MaxNumberOfMessages }),
    );
    return Messages.map((message) => ({ ...message, queue }));
  }

  /**
   * Handles all messages that can be received, and the messages that these cause. Several batches run at the same time.
   */
  async handleAll(): Promise<HandledMessages> {
    const handled: HandledMessages = { messages: 0, failed: 0 };
    const work = async (batch: readonly ReceivedMessage[]) => {
      const failed = await deliverBatch(batch);
      await this.delete(batch.filter(({ MessageId = '' }) => !failed.includes(MessageId)));
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

  /** @param batch of one queue */
  async delete(batch: readonly ReceivedMessage[]): Promise<void> {
    const Entries = batch.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    const [first] = batch;
    if (first)
      await this.client.send(new DeleteMessageBatchCommand({ QueueUrl: urlOf(first.queue), Entries }));
  }

  async put(queue: DeliveryQueue, MessageBody: string): Promise<void> {
    await this.client.send(new SendMessageCommand({ QueueUrl: urlOf(queue), MessageBody }));
  }

  async purge(): Promise<void> {
    for (const queue of ['quick', 'slow'] as const)
      await this.client.send(new PurgeQueueCommand({ QueueUrl: urlOf(queue) }));
  }

  async deadLetters(): Promise<string[]> {
    const QueueUrl = this.deadLettersUrl;
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: receivedAtOnce }),
    );
    return Messages.map(({ Body = '' }) => Body);
  }

  close(): void {
    this.client.destroy();
  }
}
