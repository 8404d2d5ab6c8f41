import { pause } from '../dynamodb/conflicts.ts';
import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import type { Entry } from './entry.ts';
import { feedPartition, pageKey, pageMax } from './keys.ts';

export interface NumberedEntry {
  number: number;
  entry: Entry;
}

/** How often entries that are missing are read again, and about how long to wait before. The wait doubles each time. */
const triesMax = 5;
const retryPauseMs = 10;

/**
 * The entries with the numbers from `first` to before `end`, all of which the head has counted, in order. A query may see one
 * part of a transaction before the other, so missing entries are read again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 * @throws Error when entries are still missing: a client that gets the others would never know
 */
export async function readEntries(account: string, first: number, end: number): Promise<NumberedEntry[]> {
  if (first >= end) return [];
  for (let tries = 1; ; tries++) {
    const entries = await queryEntries(account, first, end);
    if (entries.length === end - first) return entries;
    if (tries === triesMax) throw new Error(`The feed has not all changes from ${first} to before ${end}`);
    await pause(retryPauseMs * 2 ** tries);
  }
}

/** The pages that can hold this many entries, and the page before them. */
async function queryEntries(account: string, first: number, end: number): Promise<NumberedEntry[]> {
  // The page with the first entry may begin before it.
  const start = pageKey(account, Math.max(0, first - pageMax + 1)).sk;
  const query = index.where({ pk: feedPartition(account), sk: between(start, pageKey(account, end - 1).sk) });
  const items = await queryAll({ ...query, ConsistentRead: true });
  return items
    .flatMap(({ sk, changes }) => (changes as Entry[]).map((entry, i) => ({ number: Number(sk) + i, entry })))
    .filter(({ number }) => number >= first && number < end);
}
