import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { recordPartition } from '../../../lib/records/keys.ts';
import { blockSize } from '../../../lib/records/position.ts';
import type { PageQuery } from '../../../lib/values/lists.ts';

// The usual way to an offset on DynamoDB: all records of an account in one partition, read over until the offset is reached.

/**
 * Copies an account's contacts into one partition, as such a design has them. Within the file of the embedded database:
 * to load them once more would take as long as it took to load them.
 * @returns the partition key
 */
export function inOnePartition(folder: string, account: string): string {
  const table = required(env.recordsTable);
  const partition = `${account}#in-one-partition`;
  const sqlite = new DatabaseSync(join(folder, 'dynamodb.sqlite'), { timeout: 60_000 });
  const copy = sqlite.prepare(
    `INSERT INTO "${table}" SELECT $to, sk, json_set(item_json, '$.pk.S', $name), item_size, NULL, hash_prefix
     FROM "${table}" WHERE pk = $from`,
  );
  for (const from of recordPartitions(account))
    copy.run({ $from: `S:${from}`, $to: `S:${partition}`, $name: partition });
  sqlite.close();
  return partition;
}

function recordPartitions(account: string): Set<string> {
  const partitions = new Set<string>();
  const partition = (block: number) => recordPartition({ account, type: 'contact' }, block * blockSize);
  for (let block = 0; !partitions.has(partition(block)); block++) partitions.add(partition(block));
  return partitions;
}

/**
 * About as many as DynamoDB answers at once, 1 MB. Otherwise the embedded database would read all of them again for
 * each answer.
 */
const skippedMax = 2500;

/** The page, or less when the partition ends. In the cheapest form there is: eventually consistent, and what is skipped is not sent. */
export async function skipScan(partition: string, { limit, offset }: PageQuery): Promise<unknown[]> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  for (let left = offset; left > 0; ) {
    const skipped = await query(partition, {
      Limit: Math.min(left, skippedMax),
      Select: 'COUNT',
      ExclusiveStartKey,
    });
    if (!skipped.LastEvaluatedKey) return [];
    left -= skipped.Count ?? 0;
    ExclusiveStartKey = skipped.LastEvaluatedKey;
  }
  const { Items = [] } = await query(partition, { Limit: limit, ExclusiveStartKey });
  return Items;
}

const query = (partition: string, more: Partial<QueryCommandInput>) =>
  dynamodb().send(
    new QueryCommand({
      TableName: required(env.recordsTable),
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: { ':partition': partition },
      ...more,
    }),
  );
