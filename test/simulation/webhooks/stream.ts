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

/** A shard of a stream with its function. All changes are in one shard, so that nothing but the function separates accounts. */
export class SimulatedStream {
  private readonly settings: StreamSettings;
  /** The changes that wait, in the order of each item: each concurrent batch takes those of some items. */
  private readonly waiting: Change[][];
  private isClosed = false;

  constructor(settings: StreamSettings) {
    this.settings = settings;
    this.waiting = Array.from({ length: settings.batchesAtOnce }, () => []);
    for (const waiting of this.waiting) void this.work(waiting);
  }

  async write(changes: readonly Change[]): Promise<void> {
    await sleep(writtenMs);
    for (const change of changes) this.waiting[partitionOf(change, this.waiting.length)]?.push(change);
  }

  close(): void {
    this.isClosed = true;
  }

  private async work(waiting: Change[]): Promise<void> {
    while (!this.isClosed) {
      await sleep(waiting.length > 0 ? readMs : idleMs);
      await this.handle(waiting.splice(0, this.settings.batchSize));
    }
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
