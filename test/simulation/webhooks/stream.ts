import { createHash } from 'node:crypto';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { sleep } from '../virtualTime.ts';

interface StreamSettings {
  batchSize: number;
  batchesAtOnce: number;
  /** Processes a batch. @returns the sequence numbers of the changes that come again */
  handle(changes: Change[]): Promise<string[]>;
}

/** From a write until the stream has its record. */
const writtenMs = 50;

const readMs = 10;

/** Lambda reads a shard without changes four times a second. https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
const idleMs = 250;

/**
 * A shard of a stream with its function. One poll reads it for all concurrent batches. All changes are in one shard, so that nothing but
 * the function separates accounts.
 */
export class SimulatedStream {
  private readonly settings: StreamSettings;
  private written: Change[] = [];
  /** The changes that were read, in the order of each item: each concurrent batch takes those of some items. */
  private readonly waiting: Change[][];
  private readonly isBusy: boolean[] = [];
  private isClosed = false;

  constructor(settings: StreamSettings) {
    this.settings = settings;
    this.waiting = Array.from({ length: settings.batchesAtOnce }, () => []);
    void this.poll();
  }

  async write(changes: readonly Change[]): Promise<void> {
    await sleep(writtenMs);
    this.written.push(...changes);
  }

  close(): void {
    this.isClosed = true;
  }

  private async poll(): Promise<void> {
    while (!this.isClosed) {
      await sleep(readMs);
      const read = this.written.splice(0);
      for (const change of read) this.waiting[partitionOf(change, this.waiting.length)]?.push(change);
      for (const nth of this.waiting.keys()) void this.work(nth);
      if (read.length === 0) await sleep(idleMs);
    }
  }

  private async work(nth: number): Promise<void> {
    if (this.isBusy[nth]) return;
    this.isBusy[nth] = true;
    const waiting = this.waiting[nth] as Change[];
    while (waiting.length > 0) await this.handle(waiting.splice(0, this.settings.batchSize));
    this.isBusy[nth] = false;
  }

  private async handle(changes: Change[]): Promise<void> {
    for (let left = changes; left.length > 0; ) {
      const failed = new Set(await this.settings.handle(left));
      left = left.filter(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    }
  }
}

const partitionOf = ({ dynamodb: { Keys } }: Change, partitions: number): number =>
  createHash('sha256').update(JSON.stringify(Keys)).digest().readUInt32BE() % partitions;
