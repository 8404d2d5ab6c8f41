import { queryAll } from '../dynamodb/query.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import type { Entry } from './entry.ts';
import type { Head } from './head.ts';
import { changeDays, expiryOf } from './kept.ts';
import { blockOf, blockSize, summaryKey, summaryPartition } from './keys.ts';

// Which types a block of numbers has: a reader who wants few of them passes over the other blocks.

/** What an append does to the summaries. A page has fewer changes than a block, so it fills one block at most. */
interface Summarized {
  /** The types of the block that is not full then; undefined when they are not known. */
  types: readonly string[] | undefined;
  /** The action that stores the summary of a block, if the page fills it and its types are known. */
  actions: Action[];
}

/** Whether so many more changes make the last block full. */
export const fillsBlock = (count: number, more: number): boolean => (count % blockSize) + more >= blockSize;

/** @param page the changes that get the next numbers */
export function summarize(account: string, head: Head, page: readonly Entry[], now: Date): Summarized {
  const block = blockOf(head.count);
  const rest = (block + 1) * blockSize - head.count;
  const inBlock = typesWith(head.types, page.slice(0, rest));
  if (page.length < rest) return { types: inBlock, actions: [] };
  const put = (types: readonly string[]): Action => ({
    Put: {
      TableName: required(env.indexTable),
      Item: { ...summaryKey(account, block), types, ttl: expiryOf(now, changeDays) },
    },
  });
  return { types: typesWith([], page.slice(rest)), actions: inBlock ? [put(inBlock)] : [] };
}

const typesWith = (before: readonly string[] | undefined, added: readonly Entry[]): string[] | undefined =>
  before && [...new Set([...before, ...added.map(({ type }) => type)])].sort();

/** The types of the changes in blocks, of those blocks that have a summary. A summary never changes, so any copy is right. */
export async function readSummaries(
  account: string,
  first: number,
  last: number,
): Promise<Map<number, readonly string[]>> {
  const items = await queryAll({
    TableName: required(env.indexTable),
    KeyConditionExpression: 'pk = :summaries AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':summaries': summaryPartition(account),
      ':first': summaryKey(account, first).sk,
      ':last': summaryKey(account, last).sk,
    },
  });
  return new Map(items.map(({ sk, types }) => [Number(sk), types as string[]]));
}
