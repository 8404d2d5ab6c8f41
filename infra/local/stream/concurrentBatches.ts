import { createHash } from 'node:crypto';
import type { Change } from './streamClient.ts';

/** Processes a batch. @returns false when the signal aborted before every change was handled */
export type BatchHandler = (
  changes: Change[],
  reached: (change: Change) => void,
  signal: AbortSignal,
) => Promise<boolean>;

interface Settings {
  batchSize: number;
  batchesAtOnce: number;
  handleBatch: BatchHandler;
  /** Called when all changes up to this one are handled. @throws when the checkpoint cannot be written */
  reached(change: Change): void;
}

/**
 * Processes the changes of a shard in several batches at once, and the changes of one item in order, as Lambda does with a
 * ParallelizationFactor.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export class ConcurrentBatches {
  private readonly settings: Settings;
  /** The changes that wait, by partition. */
  private readonly waiting: Change[][];
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly abandoned = new AbortController();
  private readonly signal: AbortSignal;
  /** The changes from the first one that is not handled, in the order of the shard. */
  private readonly open: Change[] = [];
  private readonly handled = new Set<Change>();
  private error: unknown;

  constructor(settings: Settings, signal: AbortSignal) {
    this.settings = settings;
    this.waiting = Array.from({ length: settings.batchesAtOnce }, () => []);
    this.signal = AbortSignal.any([signal, this.abandoned.signal]);
  }

  /** @param isWanted whether the filter of the mapping passes a change. Other changes count as handled. */
  take(changes: readonly Change[], isWanted: (change: Change) => boolean): void {
    this.open.push(...changes);
    for (const change of changes)
      if (isWanted(change)) this.waiting[partitionOf(change, this.waiting.length)]?.push(change);
      else this.handled.add(change);
    this.advance();
    for (const partition of this.waiting.keys()) this.start(partition);
  }

  /** Resolves when more changes can be taken. @throws the error of a batch */
  async waitForCapacity(): Promise<void> {
    const { batchSize, batchesAtOnce: atOnce } = this.settings;
    while (!this.error && !this.signal.aborted && this.waiting.flat().length >= batchSize * atOnce)
      await Promise.race(this.underWay.values());
    if (this.error) throw this.error;
  }

  /** Resolves when no batch is running. @throws the error of a batch */
  async drained(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay.values());
    if (this.error) throw this.error;
  }

  /** Starts no further batch and waits for those that run. */
  async abandon(): Promise<void> {
    this.abandoned.abort();
    await this.drained().catch(() => {});
  }

  private start(partition: number): void {
    if (this.underWay.has(partition) || this.waiting[partition]?.length === 0) return;
    const work = this.work(partition)
      .catch((error: unknown) => {
        this.error ??= error;
      })
      .finally(() => this.underWay.delete(partition));
    this.underWay.set(partition, work);
  }

  private async work(partition: number): Promise<void> {
    const { batchSize, handleBatch: handOver } = this.settings;
    const waiting = this.waiting[partition] as Change[];
    while (waiting.length > 0 && !this.error && !this.signal.aborted) {
      const batch = waiting.splice(0, batchSize);
      if (!(await handOver(batch, (change) => this.reach(batch, change), this.signal))) return;
    }
  }

  private reach(batch: readonly Change[], last: Change): void {
    for (const change of batch) {
      this.handled.add(change);
      if (change === last) break;
    }
    this.advance();
  }

  private advance(): void {
    const end = this.open.findIndex((change) => !this.handled.has(change));
    const handled = this.open.splice(0, end < 0 ? this.open.length : end);
    const last = handled.at(-1);
    if (!last) return;
    for (const change of handled) this.handled.delete(change);
    this.settings.reached(last);
  }
}

/**
 * The partition of an item. It depends on the key alone, so that the changes of an item stay in order. The attributes are sorted
 * because their order in the embedded database is not fixed.
 */
function partitionOf({ dynamodb: { Keys = {} } }: Change, partitions: number): number {
  const key = Object.entries(Keys).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE() % partitions;
}
