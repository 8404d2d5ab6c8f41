import {
  ChangeMessageVisibilityCommand,
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
import type { Bell, Lane } from '../../../lib/webhooks/deliveries/deliveryQueue.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import type { OwnStack } from './ownStack.ts';

const handler = asFunction('deliverWebhook', deliverWebhook);

/** A message as it was received from a lane. */
export interface Received extends Message {
  lane: Lane;
}

/** How many messages were answered, and how many of these failed. */
export interface Answered {
  bells: number;
  failed: number;
}

const urlOf = (lane: Lane): string =>
  required(lane === 'main' ? env.deliveriesQueue : env.slowDeliveriesQueue);

const recordOf = ({ lane, MessageId, Body, ReceiptHandle }: Received): SQSRecord =>
  ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    eventSourceARN: queueArn(urlOf(lane).split('/').at(-1) as string),
  }) as SQSRecord;

/** One invocation of deliverWebhook. @returns the ids of the messages that failed */
export async function answer(messages: readonly Received[]): Promise<string[]> {
  const { batchItemFailures } = await handler({ Records: messages.map(recordOf) }, lambdaContext(30_000));
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

let messages = 0;

/** A message as it would be received, with no queue behind it. */
export const messageOf = (bell: Bell, lane: Lane = 'slow'): Received => ({
  lane,
  MessageId: `message-${++messages}`,
  Body: JSON.stringify(bell),
});

const receivedAtOnce = 10;
const batchesAtOnce = 4;

/** The two queues, as the platform uses them. */
export class Lanes {
  private readonly client: SQSClient;
  private readonly deadLettersUrl: string;

  constructor({ queuesEndpoint, deadLettersUrl }: OwnStack) {
    this.client = sqsClient(queuesEndpoint);
    this.deadLettersUrl = deadLettersUrl;
  }

  async receive(lane: Lane, MaxNumberOfMessages = receivedAtOnce): Promise<Received[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({ QueueUrl: urlOf(lane), MaxNumberOfMessages }),
    );
    return Messages.map((message) => ({ ...message, lane }));
  }

  /** Answers everything that can be received, batches side by side, and what that brings. */
  async answerAll(): Promise<Answered> {
    const answered: Answered = { bells: 0, failed: 0 };
    const work = async (batch: readonly Received[]) => {
      const failed = await answer(batch);
      await this.delete(batch.filter(({ MessageId = '' }) => !failed.includes(MessageId)));
      answered.bells += batch.length;
      answered.failed += failed.length;
    };
    for (let width = 1; ; width = Math.min(batchesAtOnce, 2 * width)) {
      const looks = Array.from({ length: width }, () => [this.receive('main'), this.receive('slow')]).flat();
      const batches = (await Promise.all(looks)).filter(({ length }) => length > 0);
      if (batches.length === 0) return answered;
      await Promise.all(batches.map(work));
    }
  }

  /** @param batch of one lane */
  async delete(batch: readonly Received[]): Promise<void> {
    const Entries = batch.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    const [first] = batch;
    if (first)
      await this.client.send(new DeleteMessageBatchCommand({ QueueUrl: urlOf(first.lane), Entries }));
  }

  /** Lets a message that failed come again at once. */
  async comeAgain({ lane, ReceiptHandle }: Received): Promise<void> {
    const command = { QueueUrl: urlOf(lane), ReceiptHandle, VisibilityTimeout: 0 };
    await this.client.send(new ChangeMessageVisibilityCommand(command));
  }

  async put(lane: Lane, MessageBody: string): Promise<void> {
    await this.client.send(new SendMessageCommand({ QueueUrl: urlOf(lane), MessageBody }));
  }

  async purge(): Promise<void> {
    for (const lane of ['main', 'slow'] as const)
      await this.client.send(new PurgeQueueCommand({ QueueUrl: urlOf(lane) }));
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
