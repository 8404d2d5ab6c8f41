/** What a read found: all new changes, a part of them, or none. */
export type Found = 'all' | 'part' | 'nothing';

const minMs = 10;

/** While a stream has no changes, the pause grows to this. */
const nothingMaxMs = 100;

/** The pauses after changes: in parts of the time that the last batch took, and the longest after which changes are read again. */
interface Share {
  batchesToPause: number;
  maxMs: number;
}

/**
 * So a function that takes long gets larger batches, and leaves the processors to others: a hundred creates a second are indexed in half
 * of the CPU time. Lambda reads a shard every 250 ms, and whoever waits for a webhook here waits for less.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
const usual: Share = { batchesToPause: 2, maxMs: 100 };

/**
 * A function that lets writers go first works a ninth of the time while there are any. So an import takes little longer than without
 * it, and both together take no longer than otherwise.
 */
const afterWriters: Share = { batchesToPause: 8, maxMs: 500 };

/** Longer than after a usual batch, and short after one that took seconds: the writers may be done by then. */
const behindMaxMs = 2000;

/** The pauses between the reads of a stream, in milliseconds. */
export class ReadPauses {
  private readonly windowMs: number;
  private readonly share: Share;
  private batchMs = 0;
  private nothingMs = minMs;

  /** @param windowMs the batching window of the mapping. With one, batches are large already. */
  constructor({ windowMs, writersFirst }: { windowMs: number; writersFirst: boolean }) {
    this.windowMs = windowMs;
    this.share = writersFirst ? afterWriters : usual;
  }

  noteBatch(ms: number): void {
    this.batchMs = ms;
  }

  after(found: Found): number {
    this.nothingMs = found === 'nothing' ? Math.min(nothingMaxMs, this.nothingMs * 1.5) : minMs;
    if (found === 'nothing') return this.nothingMs;
    if (found === 'part' || this.windowMs > 0) return 0;
    return Math.min(this.share.maxMs, Math.max(minMs, this.share.batchesToPause * this.batchMs));
  }

  /** The pause before the next batch of a function that is behind while others write. */
  forWriters(): number {
    return Math.min(behindMaxMs, this.share.batchesToPause * this.batchMs);
  }
}
