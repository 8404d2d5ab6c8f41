import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { type ScannedItem, scan } from './scan.ts';

/** All items of a table, or those of an account, in the order of their keys. */
export async function itemsOf(TableName: string, account?: string): Promise<ScannedItem[]> {
  const items = await scan(TableName);
  const isTheirs = ({ pk, account_id }: ScannedItem) =>
    account_id === account || String(pk).startsWith(`${account}#`);
  const nameOf = ({ pk, sk }: ScannedItem) => `${pk} ${sk}`;
  return items
    .filter((item) => account === undefined || isTheirs(item))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/**
 * A table with these items, like one that DynamoDB restores to a point in time: with the keys of the source table, and
 * created after its last change.
 */
export async function restoredFrom(source: string, items: readonly ScannedItem[]): Promise<string> {
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
export const overwrite = (TableName: string, Item: ScannedItem) =>
  dynamodb().send(new PutCommand({ TableName, Item }));
