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
import { handler as indexDeferredChanges } from '../../../functions/pipeline/indexDeferredChanges.ts';
import { sqsClient } from '../../../infra/local/queue/queues.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';

const fanOutHandler = asFunction('fanOutDeferredChanges', fanOutDeferredChanges);
const indexHandler = asFunction('indexDeferredChanges', indexDeferredChanges);

const recordOf = ({ MessageId, Body, ReceiptHandle, Attributes }: Message): SQSRecord =>
  ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes,
  }) as unknown as SQSRecord;

/** One invocation of fanOutDeferredChanges. @returns whether it is done with the message */
export async function fanOutMessage(message: Message): Promise<boolean> {
  const answer = await fanOutHandler({ Records: [recordOf(message)] }, lambdaContext(30_000));
  return answer.batchItemFailures.length === 0;
}

/** One invocation of indexDeferredChanges. @returns whether it is done with the message */
export async function indexMessage(message: Message, ms = 30_000): Promise<boolean> {
  const answer = await indexHandler({ Records: [recordOf(message)] }, lambdaContext(ms));
  return answer.batchItemFailures.length === 0;
}

type Invocation = (message: Message) => Promise<boolean>;

/** A queue of deferred work, as the platform uses it: a message for each invocation. */
export class DeferredQueue {
  private readonly client: SQSClient;
  private readonly url: string;
  private readonly deadLettersUrl: string;
  private readonly invoke: Invocation;

  constructor(endpoint: string, urls: { url: string; deadLettersUrl: string }, invoke: Invocation) {
    this.client = sqsClient(endpoint);
    this.url = urls.url;
    this.deadLettersUrl = urls.deadLettersUrl;
    this.invoke = invoke;
  }

  /** One message, if one is visible. */
  async receive(): Promise<Message | undefined> {
    return (await this.read(this.url, 1))[0];
  }

  /**
   * Works on everything that can be received.
   * @param invoke replaces an invocation
   * @returns how many messages failed
   */
  async handleAll(invoke: Invocation = this.invoke): Promise<number> {
    for (let failed = 0; ; ) {
      const message = await this.receive();
      if (!message) return failed;
      if (await invoke(message)) await this.delete(message);
      else failed += 1;
    }
  }

  async put(MessageBody: string): Promise<void> {
    await this.client.send(new SendMessageCommand({ QueueUrl: this.url, MessageBody }));
  }

  async deadLetters(): Promise<string[]> {
    return (await this.read(this.deadLettersUrl, 10)).map(({ Body = '' }) => Body);
  }

  async purge(): Promise<void> {
    for (const QueueUrl of [this.url, this.deadLettersUrl])
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
    await this.client.send(new DeleteMessageCommand({ QueueUrl: this.url, ReceiptHandle }));
  }
}
