import type { Message } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { handler as fanOutDeferredChanges } from '../../../functions/pipeline/fanOutDeferredChanges.ts';
import { handler as indexDeferredChanges } from '../../../functions/pipeline/indexDeferredChanges.ts';
import { lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';
import { MessageQueue } from './messageQueue.ts';

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
  private readonly messages: MessageQueue;
  private readonly dead: MessageQueue;
  private readonly invoke: Invocation;

  constructor(urls: { url: string; deadLettersUrl: string }, invoke: Invocation) {
    this.messages = new MessageQueue(urls.url);
    this.dead = new MessageQueue(urls.deadLettersUrl);
    this.invoke = invoke;
  }

  /** One message, if one is visible. */
  async receive(): Promise<Message | undefined> {
    return (await this.messages.receive(1))[0];
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
      if (await invoke(message)) await this.messages.delete([message]);
      else failed += 1;
    }
  }

  deadLetters(): Promise<string[]> {
    return this.dead.bodies();
  }

  async purge(): Promise<void> {
    for (const queue of [this.messages, this.dead]) await queue.purge();
  }

  close(): void {
    for (const queue of [this.messages, this.dead]) queue.close();
  }
}
