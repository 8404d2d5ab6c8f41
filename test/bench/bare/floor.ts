import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answer, readRequest } from './answer.ts';

// A list of contacts without any library: requests are signed by hand (AWS Signature Version 4), and items are read by hand.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

const { AWS_REGION: region = '', RECORDS_TABLE: TableName } = process.env;
const { AWS_ACCESS_KEY_ID: keyId = '', AWS_SECRET_ACCESS_KEY: secret = '' } = process.env;
const host = `dynamodb.${region}.amazonaws.com`;
const agent = new Agent({ keepAlive: true });

type Value = Record<string, unknown>;

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { page, head, range } = readRequest(event);
  const [{ Item }, { Items = [] }] = await Promise.all([
    call('GetItem', {
      TableName,
      Key: { pk: { S: head.pk }, sk: { S: head.sk } },
      ConsistentRead: true,
    }),
    call('Query', {
      TableName,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':partition': { S: range.partition },
        ':first': { S: range.first },
        ':last': { S: range.last },
      },
      ConsistentRead: true,
    }),
  ]);
  return answer(page, Item && plainItem(Item), Items.map(plainItem));
}

async function call(operation: string, input: object): Promise<{ Item?: Value; Items?: Value[] }> {
  const body = JSON.stringify(input);
  const headers = signed(`DynamoDB_20120810.${operation}`, body);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ host, method: 'POST', path: '/', agent, headers }, (response) => {
    let text = '';
    response
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
      })
      .on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
  })
    .on('error', reject)
    .end(body);
  return JSON.parse(await promise);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function signed(target: string, body: string): Record<string, string> {
  const moment = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${moment.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': moment,
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = `POST\n/\n\n${lines.join('')}\n${names}\n${sha256(body)}`;
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(canonical)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization, 'content-length': String(Buffer.byteLength(body)) };
}

const plainItem = (item: Value): Value =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value as Value)]));

/** A value out of DynamoDB's form, `{ S: 'text' }` and the like, in the types that records are made of. */
function plain({ S, N, BOOL, L, M }: Value): unknown {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (L !== undefined) return (L as Value[]).map(plain);
  return M === undefined ? null : plainItem(M as Value);
}
