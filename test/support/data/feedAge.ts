import { BatchWriteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { type FeedHead, feedHeadKey, feedPartition } from '../../../lib/feed/feedItems.ts';

const dayMs = 24 * 3_600_000;

const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);

/**
 * Makes a feed a number of days older, as if its clock had been moved: the days of its numbers are earlier, and DynamoDB has removed
 * the pages that have expired.
 */
export async function letFeedAge(account: string, days: number): Promise<void> {
  const TableName = required(env.indexTable);
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :feed',
      ExpressionAttributeValues: { ':feed': feedPartition(account) },
      ConsistentRead: true,
    }),
  );
  const { sk } = feedHeadKey(account);
  for (const item of Items.filter((one) => one.sk === sk)) {
    const earlier = Object.entries(item.days as FeedHead['days']).map(([day, first]) => [
      before(day, days),
      first,
    ]);
    await dynamodb().send(
      new PutCommand({ TableName, Item: { ...item, days: Object.fromEntries(earlier) } }),
    );
  }
  const pages = Items.filter((one) => one.sk !== sk).map(({ ttl, ...page }) => ({
    ...page,
    ttl: ttl - (days * dayMs) / 1000,
  }));
  for (let at = 0; at < pages.length; at += 25) {
    const requests = pages.slice(at, at + 25).map((Item) => {
      const { pk, sk: first, ttl } = Item as unknown as { pk: string; sk: string; ttl: number };
      return ttl * 1000 < Date.now()
        ? { DeleteRequest: { Key: { pk, sk: first } } }
        : { PutRequest: { Item } };
    });
    await dynamodb().send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  }
}
