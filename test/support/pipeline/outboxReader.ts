import type { Message } from '@aws-sdk/client-sqs';
import type { OutboxMessage } from '../../../lib/contract/outboxContract.ts';
import { MessageQueue } from './messageQueue.ts';

/** A message as a consumer gets it. */
export interface ReceivedMessage extends OutboxMessage {
  attributes: Record<string, string | undefined>;
}

/** Reads an outbox as the product does: it takes messages, uses them, and deletes them. */
export class OutboxReader {
  readonly received: ReceivedMessage[] = [];
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Takes all that can be received now. @returns all that has been received of an account */
  async of(account: string): Promise<ReceivedMessage[]> {
    await this.takeAll();
    return this.received.filter((one) => one.account === account);
  }

  async takeAll(): Promise<void> {
    const queue = new MessageQueue(this.url);
    try {
      for (;;) {
        const messages = await queue.receive();
        if (messages.length === 0) return;
        this.received.push(...messages.map(readMessage));
        await queue.delete(messages);
      }
    } finally {
      queue.close();
    }
  }
}

/** The embedded SQS keeps system attributes, whose names begin with a capital, among those of a message. */
const readMessage = ({ Body = '', MessageAttributes = {} }: Message): ReceivedMessage => ({
  ...JSON.parse(Body),
  attributes: Object.fromEntries(
    Object.entries(MessageAttributes).flatMap(([name, { StringValue }]) =>
      /^[A-Z]/.test(name) ? [] : [[name, StringValue]],
    ),
  ),
});

/** What a message is about, so that repetitions are equal. */
export const versionOf = ({ resource, type }: OutboxMessage): string =>
  `${type} ${resource.id} ${resource.version}`;
