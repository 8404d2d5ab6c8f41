import { ConcurrentBatches } from '../../../infra/local/stream/concurrentBatches.ts';
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
  private readonly batches: ConcurrentBatches;
  private records: Change[] = [];
  private isClosed = false;

  constructor(settings: StreamSettings) {
    this.settings = settings;
    const { batchSize, batchesAtOnce } = settings;
    const signal = new AbortController().signal;
    this.batches = new ConcurrentBatches(
      {
        batchSize,
        batchesAtOnce,
        handleBatch: async (changes) => {
          await this.handle(changes);
          return true;
        },
        reached: () => {},
      },
      signal,
    );
    void this.poll();
  }

  async write(changes: readonly Change[]): Promise<void> {
    await sleep(writtenMs);
    this.records.push(...changes);
  }

  close(): void {
    this.isClosed = true;
  }

  private async poll(): Promise<void> {
    while (!this.isClosed) {
      await this.batches.waitForCapacity();
      await sleep(readMs);
      const { records } = this;
      this.records = [];
      this.batches.take(records, () => true);
      if (records.length === 0) await sleep(idleMs);
    }
  }

  private async handle(changes: Change[]): Promise<void> {
    for (let left = changes; left.length > 0; ) {
      const failed = new Set(await this.settings.handle(left));
      left = left.filter(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    }
  }
}
