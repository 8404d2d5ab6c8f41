import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import type { Action } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
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
  /** The types of the changes in the last block of numbers, which is not full. */
  types: readonly string[];
}

/** @param item the item of the head; undefined when no change of the account has a number yet */
export const headOf = (item: Record<string, unknown> | undefined): Head =>
  item
    ? { count: item.count as number, days: item.days as FirstOfDays, types: item.types as string[] }
    : { count: 0, days: {}, types: [] };

export async function readHead(account: string): Promise<Head> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.indexTable), Key: headKey(account), ConsistentRead: true }),
  );
  return headOf(Item);
}

/**
 * Lengthens a feed from the length that was read. Refused when another append was faster.
 * @param types the types of the last block afterwards
 */
export const lengthen = (
  account: string,
  { count, days }: Head,
  { by, types, now }: { by: number; types: readonly string[]; now: Date },
): Action => ({
  Update: {
    TableName: required(env.indexTable),
    Key: headKey(account),
    UpdateExpression: 'SET #count = :next, #days = :days, #types = :types',
    ConditionExpression: count === 0 ? 'attribute_not_exists(pk)' : '#count = :count',
    ExpressionAttributeNames: { '#count': 'count', '#days': 'days', '#types': 'types' },
    ExpressionAttributeValues: {
      ':next': count + by,
      ':days': daysWith(days, count, changeDays, now.getTime()),
      ':types': types,
      ...(count === 0 ? {} : { ':count': count }),
    },
  },
});
