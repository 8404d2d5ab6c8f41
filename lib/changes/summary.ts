import { queryAll } from '../dynamodb/query.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import type { Entry } from './entry.ts';
import type { Head } from './head.ts';
import { changeDays, expiryOf } from './kept.ts';
import { blockOf, blockSize, summaryKey, summaryPartition } from './keys.ts';

// Which types a block of numbers has: a reader who wants few of them passes over the other blocks.

/** Whether so many more changes make the last block full. */
export const fillsBlock = ({ count }: Head, more: number): boolean => (count % blockSize) + more >= blockSize;

/**
 * What an append does to the summaries.
 * @param page the changes that get the next numbers; it has fewer than a block
 * @returns the types of the last block afterwards, and the action that stores the summary of a block that the page fills
 */
export function summarize(
  account: string,
  head: Head,
  page: readonly Entry[],
  now: Date,
): { types: string[]; actions: Action[] } {
  const block = blockOf(head.count);
  const rest = (block + 1) * blockSize - head.count;
  const types = typesWith(head.types, page.slice(0, rest));
  if (!fillsBlock(head, page.length)) return { types, actions: [] };
  const Item = { ...summaryKey(account, block), types, ttl: expiryOf(now, changeDays) };
  const put = { Put: { TableName: required(env.indexTable), Item } };
  return { types: typesWith([], page.slice(rest)), actions: [put] };
}

const typesWith = (types: readonly string[], added: readonly Entry[]): string[] =>
  [...new Set([...types, ...added.map(({ type }) => type)])].sort();

/** How many blocks the summaries of one read are of, and how many reads a request makes. */
const [readBlocks, readsMax] = [500, 10];

/** The summaries of an account's blocks, as far as a search has read them. */
export class Summaries {
  private readonly account: string;
  private readonly reads = new Map<number, Map<number, readonly string[]>>();

  constructor(account: string) {
    this.account = account;
  }

  /** The types of a block; undefined when they are not known. A summary never changes, so any copy is right. */
  async typesOf(block: number): Promise<readonly string[] | undefined> {
    const nth = Math.floor(block / readBlocks);
    if (!this.reads.has(nth)) {
      if (this.reads.size >= readsMax) return undefined;
      this.reads.set(nth, await this.read(nth));
    }
    return this.reads.get(nth)?.get(block);
  }

  private async read(nth: number): Promise<Map<number, readonly string[]>> {
    const items = await queryAll({
      TableName: required(env.indexTable),
      KeyConditionExpression: 'pk = :summaries AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':summaries': summaryPartition(this.account),
        ':first': summaryKey(this.account, nth * readBlocks).sk,
        ':last': summaryKey(this.account, (nth + 1) * readBlocks - 1).sk,
      },
    });
    return new Map(items.map(({ sk, types }) => [Number(sk), types as string[]]));
  }
}
