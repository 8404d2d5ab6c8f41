import { absent } from '../dynamodb/expressions.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { type BlockContent, contentOf, nothing } from './blockContent.ts';
import { changeDays, daysWith, type FirstOfDays } from './kept.ts';
import { headKey } from './keys.ts';

/**
 * The length of an account's feed. It has no time to live: while an account has no changes for longer than its pages are kept,
 * only this item knows the next number.
 */
export interface Head {
  /** How many changes have a number, which is the number of the next one. */
  count: number;
  days: FirstOfDays;
  /** What the last block of numbers has, which is not full. */
  content: BlockContent;
}

/** @param item the item of the head; undefined when no change of the account has a number yet */
export const headOf = (item: Record<string, unknown> | undefined): Head =>
  item
    ? { count: item.count as number, days: item.days as FirstOfDays, content: contentOf(item) }
    : { count: 0, days: {}, content: nothing };

export const readHead = async (account: string): Promise<Head> =>
  headOf(await readItem(index, headKey(account)));

/**
 * Lengthens a feed from the length that was read. Refused when another append was faster.
 * @param content what the last block has afterwards
 */
export const lengthen = (
  account: string,
  { count, days }: Head,
  { more, content, now }: { more: number; content: BlockContent; now: Date },
): Action =>
  index.update(
    headKey(account),
    { count: count + more, days: daysWith(days, count, changeDays, now.getTime()), ...content },
    { if: count === 0 ? { pk: absent } : { count } },
  );
