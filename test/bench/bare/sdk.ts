import { DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answer, readRequest } from './answer.ts';

// A list of contacts with the AWS SDK as everybody uses it, and with nothing else.

const client = new DynamoDBClient({});
const TableName = process.env.RECORDS_TABLE;

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { page, head, range } = readRequest(event);
  const [{ Item }, { Items = [] }] = await Promise.all([
    client.send(
      new GetItemCommand({
        TableName,
        Key: { pk: { S: head.pk }, sk: { S: head.sk } },
        ConsistentRead: true,
      }),
    ),
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':partition': { S: range.partition },
          ':first': { S: range.first },
          ':last': { S: range.last },
        },
        ConsistentRead: true,
      }),
    ),
  ]);
  return answer(
    page,
    Item && unmarshall(Item),
    Items.map((item) => unmarshall(item)),
  );
}
