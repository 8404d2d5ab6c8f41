import { ReceiveMessageCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  makeQueues,
  openQueues,
  type Queues,
  queueUrl,
  sqsClient,
} from '../../../../infra/local/queue/localQueues.ts';
import type { Resource } from '../../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

const folder = temporaryFolder();
let queues: Queues;
let client: SQSClient;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  queues = await openQueues(folder);
  client = sqsClient(queues.endpoint);
});
afterAll(async () => {
  client.destroy();
  await queues.stop();
  removeFolder(folder);
  vi.useRealTimers();
});

async function givenQueue(name: string, properties: Resource['properties'] = {}): Promise<string> {
  await makeQueues(queues.endpoint, [{ id: name, type: 'AWS::SQS::Queue', properties } as Resource]);
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

const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);

test('a group with few messages does not wait for one with many, and each keeps its order', async () => {
  const url = await givenQueue('Fair');
  await send(url, numbered('a', 40), 'a');
  expect(await receive(url)).toEqual(numbered('a', 10));
  await send(url, numbered('b', 3), 'b');
  expect(await receive(url)).toEqual(['a10', 'b0', 'a11', 'b1', 'a12', 'b2', ...numbered('a', 17).slice(13)]);
});

test('behind messages that become dead letters, others are received at once', async () => {
  const dead = await givenQueue('Dead');
  const url = await givenQueue('Poisoned', {
    VisibilityTimeout: 1,
    RedrivePolicy: { deadLetterTargetArn: 'arn:aws:local:us-east-1:000000000000:Dead', maxReceiveCount: 1 },
  });
  await send(url, numbered('a', 3), 'a');
  await receive(url);
  pass(1100);
  await send(url, ['b0'], 'b');
  expect(await receive(url)).toEqual(['b0']);
  expect(await receive(dead)).toEqual(numbered('a', 3));
});
