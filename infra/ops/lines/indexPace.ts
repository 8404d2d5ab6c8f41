import { setTimeout as sleep } from 'node:timers/promises';
import { readNumberedVersion } from '../../../lib/feed/append.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';

/** How many batches of a hundred records may be on the way in the beginning, and at most. */
const batchesFirst = 4;
const batchesMax = 50;

/** How long the index may take for a batch, because other accounts wait as long. */
const lagMaxMs = 2000;

/** Then the index is not waited for: an alarm says that it is late. */
const lostAfterMs = 60_000;

const pollMs = 100;

/** When a person learns what the command waits for. */
const sayAfterMs = 10_000;

type Written = Pick<Stored, 'id' | 'version'>;

/**
 * Keeps a command from writing faster than the index follows. Batches are on the way to the index as packets of TCP are: one more once
 * all of them were in time, half as many after one that was late.
 */
export class IndexPace {
  private readonly isIndexed: (record: Written) => Promise<boolean>;
  private readonly say: (text: string) => void;
  /** The batches that may be on the way, and those that are, oldest first. */
  private batches = batchesFirst;
  private readonly onTheWay: { record: Written; at: number }[] = [];
  private hasSaid = false;

  constructor(isIndexed: (record: Written) => Promise<boolean>, say: (text: string) => void) {
    this.isIndexed = isIndexed;
    this.say = say;
  }

  /** Notes that a batch was written, and waits until another one may be. @param record the last of the batch */
  async follow(record: Written): Promise<void> {
    this.onTheWay.push({ record, at: Date.now() });
    while (this.onTheWay.length > this.batches) {
      const isLate = await this.arrival();
      const more = 1 / Math.max(1, this.batches);
      this.batches = isLate ? Math.floor(this.batches / 2) : Math.min(batchesMax, this.batches + more);
    }
  }

  /** Waits until the index has the oldest batch. @returns whether it took too long; it did not if the index had it before */
  private async arrival(): Promise<boolean> {
    const { record, at } = this.onTheWay.shift() as { record: Written; at: number };
    if (await this.isIndexed(record)) return false;
    for (;;) {
      await sleep(pollMs);
      const lagMs = Date.now() - at;
      if (lagMs > lostAfterMs || (await this.isIndexed(record))) return lagMs > lagMaxMs;
      if (lagMs > sayAfterMs && !this.hasSaid) {
        this.say('Filters are more than ten seconds behind, so this waits for them.');
        this.hasSaid = true;
      }
    }
  }
}

/** Whether the index has a version of a record: the feed numbers a change in the batch that brings it into the filters. */
export async function isIndexed(
  { type, prefix }: Collection<Stored>,
  account: string,
  { id, version }: Written,
): Promise<boolean> {
  return (await readNumberedVersion(account, type, positionOf(prefix, id) as number)) >= version;
}
