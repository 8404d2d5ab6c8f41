import {
  DeleteMessageBatchCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { sqsClient } from '../../../infra/local/queue/localQueues.ts';

/** A queue of an embedded SQS. */
export class MessageQueue {
  private readonly client: SQSClient;
  private readonly url: string;

  constructor(url: string) {
    this.client = sqsClient(new URL(url).origin);
    this.url = url;
  }

  /** The messages that can be received at once. */
  async receive(MaxNumberOfMessages = 10): Promise<Message[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.url,
        MaxNumberOfMessages,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages;
  }

  async bodies(): Promise<string[]> {
    return (await this.receive()).map(({ Body = '' }) => Body);
  }

  async put(MessageBody: string): Promise<void> {
    await this.client.send(new SendMessageCommand({ QueueUrl: this.url, MessageBody }));
  }

  async delete(messages: readonly Message[]): Promise<void> {
    const Entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    if (Entries.length > 0)
      await this.client.send(new DeleteMessageBatchCommand({ QueueUrl: this.url, Entries }));
  }

  async purge(): Promise<void> {
    await this.client.send(new PurgeQueueCommand({ QueueUrl: this.url }));
  }

  close(): void {
    this.client.destroy();
  }
}
