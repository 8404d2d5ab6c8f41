import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../infra/local/database/database.ts';
import { openTables } from '../../../infra/local/database/tables.ts';
import { awsEnvironment } from '../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { table } from '../stream/streamFixture.ts';

test('a table that an earlier release made without a stream gets one, and later starts keep it', async () => {
  const folder = temporaryFolder();
  const { endpoint, stop } = await openDatabase(folder);
  const client = new DynamoDBClient({
    endpoint,
    region: awsEnvironment.region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(async () => {
    client.destroy();
    await stop();
    removeFolder(folder);
  });
  const streamOf = async (StreamSpecification?: object) => {
    await openTables(endpoint, [
      { ...table, properties: { ...table.properties, StreamSpecification } as never },
    ]);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.id }));
    return [Table?.StreamSpecification?.StreamViewType, Table?.LatestStreamArn];
  };
  expect(await streamOf()).toEqual([undefined, undefined]);
  const made = await streamOf({ StreamViewType: 'KEYS_ONLY' });
  expect(made).toEqual(['KEYS_ONLY', expect.any(String)]);
  expect(await streamOf({ StreamViewType: 'KEYS_ONLY' })).toEqual(made);
});
