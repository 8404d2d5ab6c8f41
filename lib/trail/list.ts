import type { ActivityEntry, ActivityQuery } from '../contract/console/activity.ts';
import { queryPages } from '../dynamodb/query.ts';
import { env, required } from '../env.ts';
import { numberOf, shownEntry, type TrailItem } from './entry.ts';

/** Entries of an account, newest first, those that have expired left out. */
async function* entries(
  account: string,
  { before, key_id: key, pageSize }: Partial<ActivityQuery> & { pageSize?: number },
): AsyncGenerator<ActivityEntry> {
  const conditions = [
    // DynamoDB may remove expired items days later.
    '#ttl > :now',
    ...(key === undefined ? [] : ['key_id = :key']),
  ];
  const pages = queryPages({
    TableName: required(env.trailTable),
    KeyConditionExpression: `pk = :account${before === undefined ? '' : ' AND sk < :before'}`,
    FilterExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':account': account,
      ':now': Math.floor(Date.now() / 1000),
      ...(before === undefined ? {} : { ':before': before }),
      ...(key === undefined ? {} : { ':key': key }),
    },
    ScanIndexForward: false,
    ConsistentRead: true,
    ...(pageSize === undefined ? {} : { Limit: pageSize }),
  });
  for await (const page of pages) for (const item of page) yield shownEntry(item as unknown as TrailItem);
}

/** A page of what happened in an account, newest first. */
export async function listEntries(
  account: string,
  { limit, before, key_id }: ActivityQuery,
): Promise<{ data: ActivityEntry[]; has_more: boolean }> {
  const data: ActivityEntry[] = [];
  // With a filter, a page of the limit's size could hold few entries and take many requests.
  const pageSize = key_id === undefined ? { pageSize: limit + 1 } : {};
  for await (const entry of entries(account, { before, key_id, ...pageSize })) {
    if (data.length === limit) return { data, has_more: true };
    data.push(entry);
  }
  return { data, has_more: false };
}

/** All entries about a key, newest first: by the revision that each made, because clocks differ. */
export async function historyOf(account: string, key: string): Promise<ActivityEntry[]> {
  const history: ActivityEntry[] = [];
  for await (const entry of entries(account, { key_id: key })) history.push(entry);
  return history.sort((a, b) => numberOf(b) - numberOf(a));
}
