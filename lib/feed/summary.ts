import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import type { Entry } from './entry.ts';
import {
  type BlockContent,
  blockOf,
  blockSize,
  changeDays,
  contentOf,
  contentWith,
  expiryOf,
  type Head,
  nothing,
  summaryKey,
  summaryPartition,
} from './store.ts';

// Which types a block of numbers has, and whose: a reader who wants few of them passes over the other blocks.

/** Whether this many more changes make the last block full. */
export const fillsBlock = ({ count }: Head, more: number): boolean => (count % blockSize) + more >= blockSize;

/**
 * What an append does to the summaries.
 * @param page the changes that get the next numbers; it has fewer than a block
 * @returns whose the changes of the last block are afterwards, and the action that stores the summary of a block that the page fills
 */
export function summarize(
  account: string,
  head: Head,
  page: readonly Entry[],
  now: Date,
): { by: BlockContent['by']; actions: Action[] } {
  const block = blockOf(head.count);
  const rest = (block + 1) * blockSize - head.count;
  const content = contentWith(head.content, page.slice(0, rest));
  if (!fillsBlock(head, page.length)) return { by: content.by, actions: [] };
  const put = index.put({ ...summaryKey(account, block), ...content, ttl: expiryOf(now, changeDays) });
  return { by: contentWith(nothing, page.slice(rest)).by, actions: [put] };
}

/** How many blocks the summaries of one read are of, and how many reads a request makes. */
const [readBlocks, readsMax] = [500, 10];

/** The summaries of an account's blocks, as far as a search has read them. */
export class Summaries {
  private readonly account: string;
  private readonly reads = new Map<number, Map<number, BlockContent>>();

  constructor(account: string) {
    this.account = account;
  }

  /** What a block has; undefined when that is not known. A summary never changes, so any copy is right. */
  async contentOf(block: number): Promise<BlockContent | undefined> {
    const nth = Math.floor(block / readBlocks);
    if (!this.reads.has(nth)) {
      if (this.reads.size >= readsMax) return undefined;
      this.reads.set(nth, await this.read(nth));
    }
    return this.reads.get(nth)?.get(block);
  }

  private async read(nth: number): Promise<Map<number, BlockContent>> {
    const keyOf = (block: number) => summaryKey(this.account, block).sk;
    const sk = between(keyOf(nth * readBlocks), keyOf((nth + 1) * readBlocks - 1));
    const items = await queryAll(index.where({ pk: summaryPartition(this.account), sk }));
    return new Map(items.map((item) => [Number(item.sk), contentOf(item)]));
  }
}
