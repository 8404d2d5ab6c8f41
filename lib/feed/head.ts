import { absent } from '../dynamodb/expressions.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import type { BlockContent } from './blockContent.ts';
import type { Entry } from './entry.ts';
import { changeDays, daysWith, type FirstOfDays } from './kept.ts';
import { blockOf, blockSize, headKey, pageKey } from './keys.ts';

/** The number of the newest change of each type. */
export type NewestOfTypes = Readonly<Record<string, number>>;

/**
 * The length of an account's feed. It has no time to live: while an account has no changes for longer than its pages are kept,
 * only this item knows the next number.
 */
export interface Head {
  /** How many changes have a number, which is the number of the next one. */
  count: number;
  days: FirstOfDays;
  newest: NewestOfTypes;
  /** What the last block of numbers has, which is not full. */
  content: BlockContent;
}

/** @param item the item of the head; undefined when no change of the account has a number yet */
export function headOf(item: Record<string, unknown> = {}): Head {
  const { count = 0, days = {}, newest = {}, by = {} } = item as Partial<Head & BlockContent>;
  const start = blockOf(count) * blockSize;
  const types = Object.keys(newest).filter((type) => (newest[type] as number) >= start);
  return { count, days, newest, content: { types, by } };
}

export const readHead = async (account: string): Promise<Head> =>
  headOf(await readItem(index, headKey(account)));

/**
 * Returns the newest changes of each type before a number. It is known before the first change of a day, whose page has it: the changes
 * of the days before are dropped together.
 */
export const readNewestBefore = async (
  account: string,
  { count, newest }: Head,
  number: number,
): Promise<NewestOfTypes | undefined> =>
  number === count
    ? newest
    : ((await readItem(index, pageKey(account, number)))?.newest as NewestOfTypes | undefined);

/**
 * Adds a page to a feed of the length that was read. Refused when another append was faster.
 * @param by of what the last block has afterwards
 */
export function lengthen(
  account: string,
  { count, days, newest }: Head,
  { page, by, ttl, now }: { page: readonly Entry[]; by: BlockContent['by']; ttl: number; now: Date },
): Action[] {
  const daysNow = daysWith(days, count, changeDays, now.getTime());
  const ofPage = Object.fromEntries(page.map(({ type }, i) => [type, count + i]));
  return [
    index.put(
      { ...pageKey(account, count), changes: page, ttl, ...(daysNow !== days && { newest }) },
      { if: { pk: absent } },
    ),
    index.update(
      headKey(account),
      { count: count + page.length, days: daysNow, newest: { ...newest, ...ofPage }, by },
      { if: count === 0 ? { pk: absent } : { count } },
    ),
  ];
}
