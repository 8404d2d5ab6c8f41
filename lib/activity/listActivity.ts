import type { ActivityEntry, ActivityQuery } from '../contract/console/activity.ts';
import { between, type Conditions, is } from '../dynamodb/expressions.ts';
import { queryPages } from '../dynamodb/query.ts';
import { activity } from '../dynamodb/tables.ts';
import { type ActivityItem, numberOf, shownEntry } from './activityEntry.ts';
import { activityTable } from './activityTable.ts';

interface Range {
  before?: string | undefined;
  /** Returns only entries since this time, RFC 3339 UTC. */
  since?: string;
  pageSize?: number;
}

/** Returns the entries of an account, newest first. Strongly consistent. */
export const activityOf = (account: string, range: Range) =>
  entries(range, { pk: account }, {}, { ConsistentRead: true });

/** Returns the entries about a key, newest first. An entry of the last seconds may be missing. */
const entriesOfKey = (account: string, key: string, range: Range) =>
  entries(range, { key_id: key }, { pk: account }, { IndexName: activityTable.byKey.name });

/** One is less and the other greater than the id of every entry, because ids begin with a year. */
const [beforeAll, afterAll] = ['0', '~'];

async function* entries(
  { before = afterAll, since = beforeAll, pageSize }: Range,
  partition: Conditions,
  filter: Conditions,
  read: { ConsistentRead: true } | { IndexName: string },
): AsyncGenerator<ActivityEntry> {
  // DynamoDB may remove expired items days later.
  const notExpired = { ttl: is('>', Math.floor(Date.now() / 1000)) };
  const pages = queryPages<ActivityItem>({
    ...activity.where({ ...partition, sk: between(since, before) }, { ...notExpired, ...filter }),
    ...read,
    ScanIndexForward: false,
    ...(pageSize === undefined ? {} : { Limit: pageSize }),
  });
  for await (const page of pages) for (const item of page) if (item.sk !== before) yield shownEntry(item);
}

/** Returns a page of entries of an account, newest first: all, about one key or subscription, or by one person. */
export async function listEntries(
  account: string,
  { limit, before, key_id: key, subscription_id, author_id }: ActivityQuery,
): Promise<{ data: ActivityEntry[]; has_more: boolean }> {
  const data: ActivityEntry[] = [];
  const isFiltered = subscription_id !== undefined || author_id !== undefined;
  const range = { before, ...(isFiltered ? {} : { pageSize: limit + 1 }) };
  for await (const entry of key === undefined
    ? activityOf(account, range)
    : entriesOfKey(account, key, range)) {
    if (subscription_id !== undefined && entry.subscription_id !== subscription_id) continue;
    if (author_id !== undefined && entry.author.id !== author_id) continue;
    if (data.length === limit) return { data, has_more: true };
    data.push(entry);
  }
  return { data, has_more: false };
}

/** How far the eventually consistent index can lag behind. In practice, it is much less. */
const behindMs = 5 * 60_000;

/** Returns all entries about a key, newest first. They are sorted by revision, because clocks differ. */
export async function historyOf(account: string, key: string): Promise<ActivityEntry[]> {
  const history = new Map<string, ActivityEntry>();
  for await (const entry of entriesOfKey(account, key, {})) history.set(entry.id, entry);
  const since = new Date(Date.now() - behindMs).toISOString();
  for await (const entry of activityOf(account, { since }))
    if (entry.key_id === key) history.set(entry.id, entry);
  return [...history.values()].sort((a, b) => numberOf(b) - numberOf(a));
}
