import type { EventResourceType } from '../contract/eventTypes.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { absent, between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { positionKey } from '../records/position.ts';
import { originKeyId } from '../records/recordOrigin.ts';
import type { FeedEntry } from './feedEntry.ts';

// Every key pattern of the feed in the Index table, which lib/filterIndex/indexTable.ts explains.

export const feedPartition = (account: string) => `${account}#changes`;

export const pageKey = (account: string, first: number) => ({
  pk: feedPartition(account),
  sk: positionKey(first),
});

/** How many numbers share a summary. It is larger than a page. */
export const feedBlockSize = 1000;

export const blockOf = (number: number): number => Math.floor(number / feedBlockSize);

/** The partition of the summaries. Each full block of numbers has one. */
const summaryPartition = (account: string) => `${feedPartition(account)}#types`;

export const summaryKey = (account: string, block: number) => ({
  pk: summaryPartition(account),
  sk: positionKey(block),
});

export const feedHeadKey = (account: string) => ({ pk: feedPartition(account), sk: 'head' });

/** The maximum number of changes on a page. One request reads the head and the numbered versions of that many records, and can take 100 keys. */
export const pageMax = 99;

/** How many records share an item with their numbered versions. At four bytes each, the item stays under 1 KB, a single write unit. */
export const groupSize = 128;

/** @param at the position of a record, which shares its key with its neighbours; or the id of another resource, which has its own item */
export const numberedKey = (account: string, type: EventResourceType, at: number | string) => ({
  pk: `${account}#numbered#${type}`,
  sk: typeof at === 'string' ? at : positionKey(Math.floor(at / groupSize)),
});

// Changes and webhook deliveries are listed by number and kept for some days.

const dayMs = 24 * 3_600_000;

export const changeDays = 30;

/** How much longer an entry is kept: a delivery that is made on the entry's last day needs it for a whole retry schedule. */
const spareDays = 6;

/** The number of the first entry of each day, by day. Days without entries are missing. */
export type FirstOfDays = Readonly<Record<string, number>>;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns when the database may remove an item created at a given time, in epoch seconds. By then, nobody can read it. */
export const feedExpiryOf = (at: Date, keptDays: number): number =>
  Math.ceil((at.getTime() + (keptDays + spareDays) * dayMs) / 1000);

/**
 * Returns the number of the first readable entry: the first of the days that are kept. The items themselves do not tell, because DynamoDB may
 * remove expired items days later.
 * @param count how many entries there have been, which is the number of the next one
 */
export function firstKeptOf(days: FirstOfDays, count: number, keptDays: number): number {
  const oldest = dayOf(Date.now() - keptDays * dayMs);
  const firsts = Object.entries(days).flatMap(([day, first]) => (day >= oldest ? [first] : []));
  return Math.min(count, ...firsts);
}

/** Returns the days after adding an entry now: including today, and without the days that nobody can read any longer. */
export function daysWith(days: FirstOfDays, count: number, keptDays: number, now: number): FirstOfDays {
  const [today, oldest] = [dayOf(now), dayOf(now - (keptDays + 1) * dayMs)];
  if (today in days) return days;
  const kept = Object.entries(days).filter(([day]) => day >= oldest);
  return { ...Object.fromEntries(kept), [today]: count };
}

interface BlockContent {
  types: readonly string[];
  /** The key that made all changes of a type, by type. A type is missing if different keys or others made its changes. */
  by: Readonly<Record<string, string>>;
}

export const contentOf = ({ types, by }: Record<string, unknown>): BlockContent => ({
  types: types as string[],
  by: (by ?? {}) as BlockContent['by'],
});

export const emptyContent: BlockContent = { types: [], by: {} };

function contentWith({ types, by }: BlockContent, added: readonly FeedEntry[]): BlockContent {
  const known = new Set(types);
  const makers = new Map(Object.entries(by));
  for (const { type, origin } of added) {
    const maker = originKeyId(origin);
    if (!known.has(type) && maker !== undefined) makers.set(type, maker);
    else if (makers.get(type) !== maker) makers.delete(type);
    known.add(type);
  }
  return { types: [...known].sort(), by: Object.fromEntries(makers) };
}

type NewestOfTypes = Readonly<Record<string, number>>;

/**
 * The length of an account's feed. It never expires: if an account has no changes for longer than pages are kept, only this item knows the next
 * number.
 */
export interface FeedHead {
  /** How many changes have a number. This is the number of the next change. */
  count: number;
  days: FirstOfDays;
  newest: NewestOfTypes;
  /** The content of the last block of numbers, which is not full yet. */
  content: BlockContent;
}

/** Returns the head of a feed. @param item the stored head; undefined if no change of the account has a number yet */
export function headOf(item: Record<string, unknown> = {}): FeedHead {
  const { count = 0, days = {}, newest = {}, by = {} } = item as Partial<FeedHead & BlockContent>;
  const start = blockOf(count) * feedBlockSize;
  const types = Object.keys(newest).filter((type) => (newest[type] as number) >= start);
  return { count, days, newest, content: { types, by } };
}

export const readFeedHead = async (account: string): Promise<FeedHead> =>
  headOf(await readItem(index, feedHeadKey(account)));

/**
 * Returns the newest changes of each type before a number. The page of the first change of a day stores them, because the changes of the
 * earlier days are dropped together.
 */
export const readNewestBefore = async (
  account: string,
  { count, newest }: FeedHead,
  number: number,
): Promise<NewestOfTypes | undefined> =>
  number === count
    ? newest
    : ((await readItem(index, pageKey(account, number)))?.newest as NewestOfTypes | undefined);

/**
 * Returns the action that adds a page to a feed of the length that was read. It is refused if another append was faster.
 * @param by the keys of the last block after the append
 */
export function lengthen(
  account: string,
  { count, days, newest }: FeedHead,
  { page, by, now }: { page: readonly FeedEntry[]; by: BlockContent['by']; now: Date },
): Action[] {
  const daysNow = daysWith(days, count, changeDays, now.getTime());
  const ttl = feedExpiryOf(now, changeDays);
  const ofPage = Object.fromEntries(page.map(({ type }, i) => [type, count + i]));
  return [
    index.put(
      { ...pageKey(account, count), changes: page, ttl, ...(daysNow !== days && { newest }) },
      { if: { pk: absent } },
    ),
    index.update(
      feedHeadKey(account),
      { count: count + page.length, days: daysNow, newest: { ...newest, ...ofPage }, by },
      { if: count === 0 ? { pk: absent } : { count } },
    ),
  ];
}

export interface NumberedEntry {
  number: number;
  entry: FeedEntry;
}

/** How often missing entries are read again, and how long to wait before the first time. The wait doubles each time. */
const triesMax = 5;
const retryPauseMs = 10;

/**
 * Reads the entries with the numbers from `first` to before `end`, in order. The head must have counted all of them. A query may see one part
 * of a transaction before the other, so missing entries are read again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 * @throws Error if entries are still missing, because a client that gets the others would never know
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

/** Reads the pages that can contain this many entries, and the page before them. */
async function queryEntries(account: string, first: number, end: number): Promise<NumberedEntry[]> {
  // The page with the first entry may begin before it.
  const start = pageKey(account, Math.max(0, first - pageMax + 1)).sk;
  const query = index.where({ pk: feedPartition(account), sk: between(start, pageKey(account, end - 1).sk) });
  const items = await queryAll({ ...query, ConsistentRead: true });
  return items
    .flatMap(({ sk, changes }) =>
      (changes as FeedEntry[]).map((entry, i) => ({ number: Number(sk) + i, entry })),
    )
    .filter(({ number }) => number >= first && number < end);
}

// Summaries store which types a block of numbers contains, and who made the changes. A reader who wants few of them skips the other blocks.

/** Returns whether this many more changes complete the last block. */
export const fillsBlock = ({ count }: FeedHead, more: number): boolean =>
  (count % feedBlockSize) + more >= feedBlockSize;

/**
 * Plans the summaries of an append.
 * @param page the changes that get the next numbers, fewer than a block
 * @returns who made the changes of the last block after the append, and the action that stores the summary of a block if the page completes it
 */
export function summarizeBlock(
  account: string,
  head: FeedHead,
  page: readonly FeedEntry[],
  now: Date,
): { by: BlockContent['by']; actions: Action[] } {
  const block = blockOf(head.count);
  const rest = (block + 1) * feedBlockSize - head.count;
  const content = contentWith(head.content, page.slice(0, rest));
  if (!fillsBlock(head, page.length)) return { by: content.by, actions: [] };
  const put = index.put({ ...summaryKey(account, block), ...content, ttl: feedExpiryOf(now, changeDays) });
  return { by: contentWith(emptyContent, page.slice(rest)).by, actions: [put] };
}

/** How many summaries one read returns, and how many reads a request makes. */
const [readBlocks, readsMax] = [500, 10];

export type ReadBlock = (block: number) => Promise<BlockContent | undefined>;

/** Returns a function that reads the content of a block of an account; undefined if unknown. Summaries never change, so any copy is correct. */
export function summariesOf(account: string): ReadBlock {
  const reads = new Map<number, Map<number, BlockContent>>();
  return async (block) => {
    const nth = Math.floor(block / readBlocks);
    if (!reads.has(nth)) {
      if (reads.size >= readsMax) return undefined;
      reads.set(nth, await readSummaries(account, nth));
    }
    return reads.get(nth)?.get(block);
  };
}

async function readSummaries(account: string, nth: number): Promise<Map<number, BlockContent>> {
  const keyOf = (block: number) => summaryKey(account, block).sk;
  const sk = between(keyOf(nth * readBlocks), keyOf((nth + 1) * readBlocks - 1));
  const items = await queryAll(index.where({ pk: summaryPartition(account), sk }));
  return new Map(items.map((item) => [Number(item.sk), contentOf(item)]));
}
