import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

type Item = Record<string, unknown>;

/** All items of a table, or those of an account, in the order of their keys. */
export async function itemsOf(TableName: string, account?: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await dynamodb().send(
      new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const isTheirs = ({ pk, account_id }: Item) =>
    account_id === account || String(pk).startsWith(`${account}#`);
  const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return items
    .filter((item) => account === undefined || isTheirs(item))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/**
 * A table with these items, like one that DynamoDB restores to a point in time: with the keys of the source table, and
 * created after its last change.
 */
export async function restoredFrom(source: string, items: readonly Item[]): Promise<string> {
  const { Table } = await dynamodb().send(new DescribeTableCommand({ TableName: source }));
  const TableName = `${source}-restored-${randomBytes(4).toString('hex')}`;
  // The embedded database stores the creation time of a table in seconds. Waits for the next second, so that all
  // changes so far are before it.
  await sleep(1001 - (Date.now() % 1000));
  const names = Table?.KeySchema?.map(({ AttributeName }) => AttributeName);
  await dynamodb().send(
    new CreateTableCommand({
      TableName,
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions?.filter(({ AttributeName }) =>
        names?.includes(AttributeName),
      ),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  for (let at = 0; at < items.length; at += 25) {
    const puts = items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await dynamodb().send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
  return TableName;
}

/** Writes an item without any check, as a fault would. */
export const overwrite = (TableName: string, Item: Item) =>
  dynamodb().send(new PutCommand({ TableName, Item }));
