import { setTimeout as sleep } from 'node:timers/promises';
import { readNumberedVersion } from '../../../lib/feed/append.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';

/** How many batches of a hundred records may be on the way in the beginning, and at most. */
const batchesFirst = 4;
const batchesMax = 50;

/** A record that is not there by then was refused by the inbox. */
const lostAfterMs = 60_000;

const pollMs = 100;

/** When a person learns what the command waits for. */
const sayAfterMs = 10_000;

type Written = Pick<Stored, 'id' | 'version'>;

/** Reads a record that was written: `refused` when it never will be there, undefined when it is not there yet. */
type Reread = () => Promise<Written | 'refused' | undefined>;

/**
 * Keeps a command from writing faster than the index follows. Batches are on the way to the index as packets of TCP are: one more once
 * all of them were in time, half as many after one that was late.
 */
export class IndexPace {
  private readonly isIndexed: (record: Written) => Promise<boolean>;
  private readonly lagMaxMs: number;
  private readonly say: (text: string) => void;
  /** The batches that may be on the way, and those that are, oldest first. */
  private batches = batchesFirst;
  private readonly onTheWay: { reread: Reread; at: number }[] = [];
  private hasSaid = false;

  /** @param lagMaxMs how long the index may take for a batch */
  constructor(
    isIndexed: (record: Written) => Promise<boolean>,
    lagMaxMs: number,
    say: (text: string) => void,
  ) {
    this.isIndexed = isIndexed;
    this.lagMaxMs = lagMaxMs;
    this.say = say;
  }

  /**
   * Notes that a batch was written, and waits until another one may be.
   * @param reread reads the last record of the batch
   */
  async follow(reread: Reread): Promise<void> {
    this.onTheWay.push({ reread, at: Date.now() });
    while (this.onTheWay.length > this.batches) {
      const isLate = await this.arrival();
      const more = 1 / Math.max(1, this.batches);
      this.batches = isLate ? Math.floor(this.batches / 2) : Math.min(batchesMax, this.batches + more);
    }
  }

  /** Waits until the index has the oldest batch. @returns whether it took too long; it did not if the index had it before */
  private async arrival(): Promise<boolean> {
    const { reread, at } = this.onTheWay.shift() as { reread: Reread; at: number };
    if (await this.isFollowed(reread)) return false;
    for (;;) {
      await sleep(pollMs);
      const lagMs = Date.now() - at;
      if (lagMs > lostAfterMs || (await this.isFollowed(reread))) return lagMs > this.lagMaxMs;
      if (lagMs > sayAfterMs && !this.hasSaid) {
        this.say('Filters are more than ten seconds behind, so this waits for them.');
        this.hasSaid = true;
      }
    }
  }

  private async isFollowed(reread: Reread): Promise<boolean> {
    const record = await reread();
    return record === 'refused' || (record !== undefined && this.isIndexed(record));
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
