import type { SQSRecord } from 'aws-lambda';
import { elapsedMs, sleep } from '../virtualTime.ts';

interface Message {
  body: string;
  group: string;
  receives: number;
}

interface QueueSettings {
  name: string;
  batchSize: number;
  /** The most batches at once. */
  concurrency: number;
  /** Processes a batch. @returns the ids of the messages that failed */
  handle(records: SQSRecord[]): Promise<string[]>;
}

/** From the decision to invoke a function until its code runs, in an environment that is there already. */
const invokeMs = 10;

/** Lets a function handle what it gets a moment later. */
export const invoked =
  <Records, Result>(handle: (records: Records) => Promise<Result>) =>
  async (records: Records): Promise<Result> => {
    await sleep(invokeMs);
    return handle(records);
  };

/** From the end of a send until the function has the message. */
const handOverMs = 20;

/** How long a message that failed stays away. */
const visibilityMs = 180_000;

/** Batches at once when messages begin to wait, and how many more each second. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const firstBatches = 5;
const moreBatchesEachSecond = 5;

/**
 * A standard queue with its function. Of the groups that wait, the one with the fewest messages in flight is served first.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export class SimulatedQueue {
  private readonly settings: QueueSettings;
  private readonly waiting = new Map<string, Message[]>();
  private readonly inFlight = new Map<string, number>();
  private batches = 0;
  private busySince = 0;

  constructor(settings: QueueSettings) {
    this.settings = settings;
  }

  send(body: string, group: string, delaySeconds = 0): void {
    void this.add({ body, group, receives: 0 }, handOverMs + 1000 * delaySeconds);
  }

  private async add(message: Message, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const messages = this.waiting.get(message.group);
    if (messages) messages.push(message);
    else this.waiting.set(message.group, [message]);
    this.receive();
  }

  private receive(): void {
    if (this.batches === 0) this.busySince = elapsedMs();
    while (this.waiting.size > 0 && this.batches < this.batchesMax()) void this.process(this.take());
  }

  private batchesMax(): number {
    const seconds = (elapsedMs() - this.busySince) / 1000;
    return Math.min(this.settings.concurrency, firstBatches + Math.floor(moreBatchesEachSecond * seconds));
  }

  private take(): Message[] {
    const taken: Message[] = [];
    while (taken.length < this.settings.batchSize && this.waiting.size > 0) {
      const [group, messages] = [...this.waiting].reduce((least, one) =>
        this.countOf(one[0]) < this.countOf(least[0]) ? one : least,
      );
      taken.push(messages.shift() as Message);
      this.inFlight.set(group, this.countOf(group) + 1);
      // A group that has been served comes after the others with as many in flight.
      this.waiting.delete(group);
      if (messages.length > 0) this.waiting.set(group, messages);
    }
    return taken;
  }

  private countOf = (group: string): number => this.inFlight.get(group) ?? 0;

  private async process(messages: readonly Message[]): Promise<void> {
    const { name, handle } = this.settings;
    this.batches += 1;
    const records = messages.map(({ body, receives }, i) => ({
      messageId: String(i),
      body,
      eventSourceARN: `arn:aws:sqs:local-1:0:${name}`,
      attributes: { ApproximateReceiveCount: String(receives + 1) },
    }));
    const failed = new Set(await handle(records as unknown as SQSRecord[]));
    for (const [i, message] of messages.entries()) {
      this.inFlight.set(message.group, this.countOf(message.group) - 1);
      if (failed.has(String(i))) void this.add({ ...message, receives: message.receives + 1 }, visibilityMs);
    }
    this.batches -= 1;
    this.receive();
  }
}
