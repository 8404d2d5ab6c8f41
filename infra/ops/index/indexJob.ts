import { nameOf } from '../../../lib/lists/keys.ts';
import { chunksOf } from '../../../lib/lists/verify/chunks.ts';
import { confirm } from '../../../lib/lists/verify/confirm.ts';
import { type Differences, differencesOf, positionsIn } from '../../../lib/lists/verify/differences.ts';
import { repair } from '../../../lib/lists/verify/repair.ts';
import { staleItems } from '../../../lib/lists/verify/staleItems.ts';
import type { CollectionRef } from '../../../lib/records/keys.ts';
import { chunkSize } from '../../../lib/records/sets/chunk.ts';
import { Progress } from '../../terminal/progressBar.ts';

/** What a run does. */
interface Job {
  /** Only items of this account; all when it is undefined. */
  account: string | undefined;
  /** How long ago a record must have changed to be confirmed, in milliseconds. When it is undefined, every difference is repaired. */
  lag: number | undefined;
  repairs: boolean;
  stopped: AbortSignal;
}

/** How many wrong items are printed. */
const printedMax = 20;

/** Compares the index with records, and repairs it. It counts places: the positions in items of the index, and the marks of hours. */
export class IndexJob {
  readonly found = { records: 0, items: 0, different: 0, late: 0, left: 0 };
  private readonly job: Job;
  private readonly progress: Progress;
  private printed = 0;

  /** @param total about how many records there are */
  constructor(job: Job, total: number) {
    this.job = job;
    this.progress = new Progress('records', total, () => ` · ${this.found.different} differ`);
  }

  /** Compares all records of collections with the index, and then the index with the records. @returns whether it was not stopped */
  async run(collections: readonly CollectionRef[]): Promise<boolean> {
    const { account, stopped } = this.job;
    try {
      for await (const { ref, chunk, count } of chunksOf(collections)) {
        if (stopped.aborted) return false;
        await this.handle(await differencesOf(ref, chunk, count));
        const compared = Math.min(chunkSize, count - chunk * chunkSize);
        this.found.records += compared;
        this.progress.advance(compared);
      }
      let from: Record<string, unknown> | undefined;
      do {
        if (stopped.aborted) return false;
        const { differences, next } = await staleItems(from, account);
        for (const one of differences) await this.handle(one);
        from = next;
      } while (from);
      return true;
    } finally {
      this.progress.end();
    }
  }

  private async handle(differences: Differences): Promise<void> {
    const { lag, repairs } = this.job;
    this.found.items += differences.checked;
    const { late, ...wrong } =
      lag === undefined
        ? { ...differences, late: 0 }
        : await confirm(differences, new Date(Date.now() - lag).toISOString());
    this.found.late += late;
    this.found.different += positionsIn(wrong.items) + wrong.marks.length;
    if (lag !== undefined) this.print(wrong);
    if (repairs) this.found.left += await repair(wrong);
  }

  /** The keys have hashes of values, so no personal data is printed. */
  private print({ items, marks, ref }: Differences): void {
    const lines = [
      ...items.map((item) => `wrong: ${nameOf(item.key)} at ${positionsOf(item).join(', ')}`),
      ...marks.map(({ hour }) => `wrong: first record of ${hour} of ${ref.account}#${ref.type}`),
    ];
    for (const line of lines) if (this.printed++ < printedMax) this.progress.say(line);
    if (this.printed > printedMax && this.printed - lines.length <= printedMax)
      this.progress.say('wrong: more, which are only counted');
  }
}

/** The first of the positions of an item. */
const positionsOf = ({ evaluated, added }: Differences['items'][number]): (number | string)[] => {
  const positions = [...evaluated, ...added.keys()];
  return positions.length > 5 ? [...positions.slice(0, 5), '…'] : positions;
};
