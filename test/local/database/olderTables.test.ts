import {
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../infra/local/database/database.ts';
import { openTables } from '../../../infra/local/database/tables.ts';
import { awsEnvironment } from '../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { table } from '../stream/streamFixture.ts';

let client: DynamoDBClient;
let endpoint: string;
beforeEach(async () => {
  const folder = temporaryFolder();
  const database = await openDatabase(folder);
  ({ endpoint } = database);
  client = new DynamoDBClient({
    endpoint,
    region: awsEnvironment.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(async () => {
    client.destroy();
    await database.stop();
    removeFolder(folder);
  });
});

/** Opens the table with more properties, and describes it. */
async function opened(more: object): Promise<TableDescription | undefined> {
  await openTables(endpoint, [{ ...table, properties: { ...table.properties, ...more } as never }]);
  return (await client.send(new DescribeTableCommand({ TableName: table.id }))).Table;
}

test('a table that an earlier release made without a stream gets one, and later starts keep it', async () => {
  const streamOf = async (StreamSpecification?: object) => {
    const made = await opened({ StreamSpecification });
    return [made?.StreamSpecification?.StreamViewType, made?.LatestStreamArn];
  };
  expect(await streamOf()).toEqual([undefined, undefined]);
  const made = await streamOf({ StreamViewType: 'KEYS_ONLY' });
  expect(made).toEqual(['KEYS_ONLY', expect.any(String)]);
  expect(await streamOf({ StreamViewType: 'KEYS_ONLY' })).toEqual(made);
});

test('a table that an earlier release made without an index gets it, with what the table has, and later starts keep it', async () => {
  await opened({});
  const item = { pk: { S: 'a' }, sk: { S: 'b' }, owner: { S: 'c' } };
  await client.send(new PutItemCommand({ TableName: table.id, Item: item }));
  const index = {
    IndexName: 'by-owner',
    KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'ALL' },
  };
  const properties = {
    AttributeDefinitions: [
      ...(table.properties.AttributeDefinitions as object[]),
      { AttributeName: 'owner', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [index],
  };
  for (let start = 0; start < 2; start++)
    expect((await opened(properties))?.GlobalSecondaryIndexes).toMatchObject([{ IndexName: 'by-owner' }]);
  const query = {
    TableName: table.id,
    IndexName: 'by-owner',
    KeyConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': { S: 'c' } },
  };
  expect((await client.send(new QueryCommand(query))).Items).toEqual([item]);
});
