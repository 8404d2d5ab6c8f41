import { ReceiveMessageCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeQueues, openQueues, type Queues, queueUrl, sqsClient } from '../../infra/local/queues.ts';
import type { Resource } from '../../infra/local/template.ts';
import { removeFolder, temporaryFolder } from '../support/stackProcess.ts';

const folder = temporaryFolder();
let queues: Queues;
let client: SQSClient;
beforeAll(async () => {
  queues = await openQueues(folder);
  client = sqsClient(queues.endpoint);
});
afterAll(async () => {
  client.destroy();
  await queues.stop();
  removeFolder(folder);
});

async function givenQueue(name: string): Promise<string> {
  await makeQueues(queues.endpoint, [{ id: name, type: 'AWS::SQS::Queue', properties: {} } as Resource]);
  return queueUrl(queues.endpoint, name);
}

async function send(QueueUrl: string, bodies: readonly string[], MessageGroupId?: string): Promise<void> {
  for (let at = 0; at < bodies.length; at += 10) {
    const Entries = bodies.slice(at, at + 10).map((MessageBody, i) => ({
      Id: String(i),
      MessageBody,
      ...(MessageGroupId === undefined ? {} : { MessageGroupId }),
    }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

async function receive(QueueUrl: string): Promise<string[]> {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  return Messages.map(({ Body = '' }) => Body);
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`);

test('a group with few messages does not wait for one with many, and each keeps its order', async () => {
  const url = await givenQueue('Fair');
  await send(url, numbered('a', 40), 'a');
  expect(await receive(url)).toEqual(numbered('a', 10));
  await send(url, numbered('b', 12), 'b');
  // Until as many of it are in flight, too.
  expect(await receive(url)).toEqual(numbered('b', 10));
  expect((await receive(url)).toSorted()).toEqual([...numbered('a', 18).slice(10), 'b10', 'b11'].toSorted());
  const rest = [...(await receive(url)), ...(await receive(url)), ...(await receive(url))];
  expect(rest).toEqual(numbered('a', 40).slice(18));
});

test('messages without a group come in their order', async () => {
  const url = await givenQueue('Plain');
  await send(url, numbered('a', 15));
  expect([...(await receive(url)), ...(await receive(url))]).toEqual(numbered('a', 15));
});
