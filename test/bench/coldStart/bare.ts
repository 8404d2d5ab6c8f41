import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { positionKey } from '../../../lib/records/position.ts';
import { counterKey, recordPartition } from '../../../lib/records/recordKeys.ts';
import { contacts } from '../../../lib/resources/contacts.ts';

// A list of contacts with the AWS SDK as everybody uses it, and with nothing else: enough for a valid request for a page within one block.

const client = new DynamoDBClient({});
const TableName = process.env.RECORDS_TABLE;

/** The attributes of an item that are fields of a contact. */
const shown = new Set(Object.keys(contacts.layout));

export async function handler({
  queryStringParameters,
  requestContext,
}: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const page = {
    limit: Number(queryStringParameters?.limit ?? 25),
    offset: Number(queryStringParameters?.offset ?? 0),
  };
  const ref = { account: requestContext.authorizer?.account_id as string, type: 'contact' } as const;
  const counter = counterKey(ref);
  const [{ Item }, { Items = [] }] = await Promise.all([
    client.send(
      new GetItemCommand({
        TableName,
        Key: { pk: { S: counter.pk }, sk: { S: counter.sk } },
        ConsistentRead: true,
      }),
    ),
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':partition': { S: recordPartition(ref, page.offset) },
          ':first': { S: positionKey(page.offset) },
          ':last': { S: positionKey(page.offset + page.limit - 1) },
        },
        ConsistentRead: true,
      }),
    ),
  ]);
  const data = Items.map((item) => ({
    ...contacts.blank,
    ...Object.fromEntries(Object.entries(unmarshall(item)).filter(([name]) => shown.has(name))),
  }));
  const next_updated_since = page.offset > 0 ? null : new Date(Date.now() - 60_000).toISOString();
  const pagination = { ...page, total: Item ? unmarshall(Item).count : 0, next_updated_since };
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ data, pagination }),
  };
}
