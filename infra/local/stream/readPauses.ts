/** What a read found: all new changes, a part of them, or none. */
export type Found = 'all' | 'part' | 'nothing';

const minMs = 10;

/** While a stream has no changes, the pause grows to this. */
const nothingMaxMs = 100;

/**
 * The pause after changes, in parts of the time that the last batch took, and the longest. So a function that takes long gets larger
 * batches, and leaves the processors to others. Lambda reads a shard every 250 ms, and whoever waits for a webhook here waits for less.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
const batchesToPause = 2;
const maxMs = 100;

/** The pauses between the reads of a stream, in milliseconds. */
export class ReadPauses {
  private readonly windowMs: number;
  private batchMs = 0;
  private nothingMs = minMs;

  /** @param windowMs the batching window of the mapping. With one, batches are large already. */
  constructor({ windowMs }: { windowMs: number }) {
    this.windowMs = windowMs;
  }

  noteBatch(ms: number): void {
    this.batchMs = ms;
  }

  after(found: Found): number {
    this.nothingMs = found === 'nothing' ? Math.min(nothingMaxMs, this.nothingMs * 1.5) : minMs;
    if (found === 'nothing') return this.nothingMs;
    if (found === 'part' || this.windowMs > 0) return 0;
    return Math.min(maxMs, Math.max(minMs, batchesToPause * this.batchMs));
  }
}
