import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
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

export async function readHead(account: string): Promise<Head> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.indexTable), Key: headKey(account), ConsistentRead: true }),
  );
  return headOf(Item);
}

/**
 * Lengthens a feed from the length that was read. Refused when another append was faster.
 * @param content what the last block has afterwards
 */
export const lengthen = (
  account: string,
  { count, days }: Head,
  { more, content, now }: { more: number; content: BlockContent; now: Date },
): Action => ({
  Update: {
    TableName: required(env.indexTable),
    Key: headKey(account),
    UpdateExpression: 'SET #count = :next, #days = :days, #types = :types, #by = :by',
    ConditionExpression: count === 0 ? 'attribute_not_exists(pk)' : '#count = :count',
    ExpressionAttributeNames: { '#count': 'count', '#days': 'days', '#types': 'types', '#by': 'by' },
    ExpressionAttributeValues: {
      ':next': count + more,
      ':days': daysWith(days, count, changeDays, now.getTime()),
      ':types': content.types,
      ':by': content.by,
      ...(count === 0 ? {} : { ':count': count }),
    },
  },
});
