import { createHash } from 'node:crypto';
import type { Change } from './streamClient.ts';

/** Hands a batch over. @returns false when all ended before every change was handled */
export type BatchHandler = (
  changes: Change[],
  reached: (change: Change) => void,
  signal: AbortSignal,
) => Promise<boolean>;

interface Settings {
  batchSize: number;
  /** So many batches at once. */
  batchesAtOnce: number;
  handleBatch: BatchHandler;
  /** All changes up to this one are handled. @throws when that cannot be kept */
  reached(change: Change): void;
}

/**
 * The changes of one shard on their way to a function: several batches at once, and those of one item one after the other,
 * as Lambda does it with a ParallelizationFactor.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
export class ConcurrentBatches {
  private readonly settings: Settings;
  /** What waits, by the share of the items that it is of. */
  private readonly waiting: Change[][];
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly abandoned = new AbortController();
  private readonly signal: AbortSignal;
  /** In the order of the shard, from the first that is not handled on. */
  private readonly open: Change[] = [];
  private readonly handled = new Set<Change>();
  private error: unknown;

  constructor(settings: Settings, signal: AbortSignal) {
    this.settings = settings;
    this.waiting = Array.from({ length: settings.batchesAtOnce }, () => []);
    this.signal = AbortSignal.any([signal, this.abandoned.signal]);
  }

  /** @param isWanted of a change that the function does not want, nothing is left to do */
  take(changes: readonly Change[], isWanted: (change: Change) => boolean): void {
    this.open.push(...changes);
    for (const change of changes)
      if (isWanted(change)) this.waiting[shareOf(change, this.waiting.length)]?.push(change);
      else this.handled.add(change);
    this.advance();
    for (const share of this.waiting.keys()) this.start(share);
  }

  /** Resolves when the function could have more than waits for it. @throws what a batch met */
  async waitForCapacity(): Promise<void> {
    const { batchSize, batchesAtOnce: atOnce } = this.settings;
    while (!this.error && !this.signal.aborted && this.waiting.flat().length >= batchSize * atOnce)
      await Promise.race(this.underWay.values());
    if (this.error) throw this.error;
  }

  /** Resolves when nothing is under way any more. @throws what a batch met */
  async drained(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay.values());
    if (this.error) throw this.error;
  }

  /** Begins no further batch; those that are under way end. */
  async abandon(): Promise<void> {
    this.abandoned.abort();
    await this.drained().catch(() => {});
  }

  private start(share: number): void {
    if (this.underWay.has(share) || this.waiting[share]?.length === 0) return;
    const work = this.work(share)
      .catch((error: unknown) => {
        this.error ??= error;
      })
      .finally(() => this.underWay.delete(share));
    this.underWay.set(share, work);
  }

  private async work(share: number): Promise<void> {
    const { batchSize, handleBatch: handOver } = this.settings;
    const waiting = this.waiting[share] as Change[];
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
 * In which share an item is: always in the same, so that its changes stay in order. The embedded database names the attributes of
 * a key now in this order and now in that.
 */
function shareOf({ dynamodb: { Keys = {} } }: Change, shares: number): number {
  const key = Object.entries(Keys).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE() % shares;
}
