import { BatchWriteItemCommand, CreateTableCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

/** The keys that are written to learn what one costs to read. */
const sample = 5000;
const table = 'bench-gsi';

let unitsPerKey: Promise<number> | undefined;

/**
 * The read units of a list that is filtered by global secondary indexes: for an exact total, all keys of every condition are read,
 * eventually consistent. The units of 5,000 keys are measured, and they grow with the keys.
 * @param matches how many records fulfil each condition
 */
export async function gsiUnits(matches: readonly number[]): Promise<number> {
  unitsPerKey ??= measure();
  const perKey = await unitsPerKey;
  return matches.reduce((sum, count) => sum + count * perKey, 0);
}

async function measure(): Promise<number> {
  const client = dynamodb();
  const S = 'S' as const;
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'term'].map((AttributeName) => ({
        AttributeName,
        AttributeType: S,
      })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-term',
          KeySchema: [
            { AttributeName: 'term', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  for (let from = 0; from < sample; from += 25) {
    const puts = Array.from({ length: 25 }, (_, i) => {
      const position = String(from + i).padStart(12, '0');
      const pk = `test-0123456789abcdef#contact#${(from + i) % 16}`;
      const Item = { pk: { S: pk }, sk: { S: position }, term: { S: 'test-0123456789abcdef#tag=customer' } };
      return { PutRequest: { Item } };
    });
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
  }
  let units = 0;
  let ExclusiveStartKey: Record<string, never> | undefined;
  do {
    const { ConsumedCapacity, LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-term',
        KeyConditionExpression: 'term = :term',
        ExpressionAttributeValues: { ':term': { S: 'test-0123456789abcdef#tag=customer' } },
        ReturnConsumedCapacity: 'TOTAL',
        ExclusiveStartKey,
      }),
    );
    units += ConsumedCapacity?.CapacityUnits ?? 0;
    ExclusiveStartKey = LastEvaluatedKey as Record<string, never> | undefined;
  } while (ExclusiveStartKey);
  return units / sample;
}
