import {
  DeleteMessageCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { handler as fanOutDeferredChanges } from '../../../functions/pipeline/fanOutDeferredChanges.ts';
import { sqsClient } from '../../../infra/local/queue/queues.ts';
import { env, required } from '../../../lib/env.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import type { OwnStack } from './ownStack.ts';

const handler = asFunction('fanOutDeferredChanges', fanOutDeferredChanges);

const recordOf = ({ MessageId, Body, ReceiptHandle, Attributes }: Message): SQSRecord =>
  ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
  }) as unknown as SQSRecord;

/** One invocation of fanOutDeferredChanges. @returns whether it is done with the message */
export async function fanOutMessage(message: Message): Promise<boolean> {
  const { batchItemFailures } = await handler({ Records: [recordOf(message)] }, lambdaContext(30_000));
  return batchItemFailures.length === 0;
}

/** The queue of deferred changes, as the platform uses it: a message for each invocation. */
export class DeferredQueue {
  private readonly client: SQSClient;
  private readonly deadLettersUrl: string;

  constructor({ queuesEndpoint, deferredDeadLettersUrl }: OwnStack) {
    this.client = sqsClient(queuesEndpoint);
    this.deadLettersUrl = deferredDeadLettersUrl;
  }

  /** One message, if one is visible. */
  async receive(): Promise<Message | undefined> {
    return (await this.read(required(env.deferredChangesQueue), 1))[0];
  }

  /**
   * Works on everything that can be received.
   * @param invoke replaces an invocation
   * @returns how many messages failed
   */
  async handleAll(invoke = fanOutMessage): Promise<number> {
    for (let failed = 0; ; ) {
      const message = await this.receive();
      if (!message) return failed;
      if (await invoke(message)) await this.delete(message);
      else failed += 1;
    }
  }

  async put(MessageBody: string): Promise<void> {
    const QueueUrl = required(env.deferredChangesQueue);
    await this.client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }

  async deadLetters(): Promise<string[]> {
    return (await this.read(this.deadLettersUrl, 10)).map(({ Body = '' }) => Body);
  }

  async purge(): Promise<void> {
    for (const QueueUrl of [required(env.deferredChangesQueue), this.deadLettersUrl])
      await this.client.send(new PurgeQueueCommand({ QueueUrl }));
  }

  close(): void {
    this.client.destroy();
  }

  private async read(QueueUrl: string, MaxNumberOfMessages: number): Promise<Message[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  private async delete({ ReceiptHandle }: Message): Promise<void> {
    const QueueUrl = required(env.deferredChangesQueue);
    await this.client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}
