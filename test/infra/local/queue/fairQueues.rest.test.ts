import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serveFairly } from '../../../../infra/local/queue/fairQueues.ts';
import {
  makeQueues,
  openQueues,
  type Queues,
  queueUrl,
  sqsClient,
} from '../../../../infra/local/queue/queues.ts';
import type { Queue } from '../../../../infra/local/queue/waitingMessages.ts';
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

/** Longer than a message counts as processed. */
const processedMs = 600;

const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);

test('a group with few messages does not wait for one with many, and each keeps its order', async () => {
  const url = await givenQueue('Fair');
  await send(url, numbered('a', 40), 'a');
  expect(await receive(url)).toEqual(numbered('a', 10));
  await send(url, numbered('b', 3), 'b');
  expect(await receive(url)).toEqual(['b0', 'b1', 'b2']);
  pass(processedMs);
  expect(await receive(url)).toEqual(['a10', 'a11']);
  pass(processedMs);
  expect(await receive(url)).toEqual(['a12', 'a13']);
});

test('of groups with nothing in flight, the one comes first that was received longest ago', async () => {
  const url = await givenQueue('Alternating');
  await send(url, numbered('a', 3), 'a');
  await send(url, numbered('b', 2), 'b');
  const processed: string[] = [];
  for (let nth = 0; nth < 5; nth++) {
    const { Messages: [message] = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: url }));
    processed.push(message?.Body ?? '');
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message?.ReceiptHandle }));
    pass(1);
  }
  expect(processed).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
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

test('a single group gets all capacity', async () => {
  const url = await givenQueue('Alone');
  await send(url, numbered('a', 30), 'a');
  expect([...(await receive(url)), ...(await receive(url)), ...(await receive(url))]).toEqual(
    numbered('a', 30),
  );
});

test('several noisy groups without a quiet one get all capacity', async () => {
  const url = await givenQueue('Noisy');
  await send(url, numbered('a', 40), 'a');
  await send(url, numbered('b', 40), 'b');
  const received = [...(await receive(url)), ...(await receive(url)), ...(await receive(url))];
  expect(received.toSorted()).toEqual([...numbered('a', 15), ...numbered('b', 15)].toSorted());
});

test('beside a quiet group, a noisy group continues when one of its messages is done, and receivers that wait get the next message', async () => {
  const url = await givenQueue('Shared');
  await send(url, ['b0'], 'b');
  await receive(url);
  await send(url, numbered('a', 40), 'a');
  const { Messages: [first] = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 2 }),
  );
  const next = client.send(
    new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }),
  );
  // The embedded SQS looks at its queues every 20 ms.
  await sleep(100);
  await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
  const { Messages: more = [] } = await next;
  expect(more.map(({ Body }) => Body).slice(0, 1)).toEqual(['a2']);
});

test('who ends while waiting takes no message that is sent afterwards', async () => {
  const url = await givenQueue('Left');
  const gone = new AbortController();
  const waiting = client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 20 }), {
    abortSignal: gone.signal,
  });
  // The embedded SQS looks at its queues every 20 ms.
  await sleep(100);
  gone.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await receive(url);
  await send(url, ['later']);
  expect(await receive(url)).toEqual(['later']);
});

test('a queue that was emptied forgets its messages', async () => {
  const url = await givenQueue('Emptied');
  await send(url, numbered('a', 30), 'a');
  await receive(url);
  await client.send(new PurgeQueueCommand({ QueueUrl: url }));
  await send(url, numbered('b', 40), 'a');
  expect(await receive(url)).toEqual(numbered('b', 10));
});

test('each message is looked at once, however long the queue is', () => {
  const looksAt = (count: number): number => {
    let looks = 0;
    const messages = Array.from({ length: count }, (_, i) => ({
      get messageAttributes() {
        looks += 1;
        return { MessageGroupId: { StringValue: `g${i % 3}` } };
      },
    }));
    const queue: Queue = {
      messages,
      inflightMessages: new Map(),
      dequeue: (taken) => queue.messages.splice(0, taken).map((_, i) => ({ ReceiptHandle: `${i}` })),
      processTimers: () => {},
      notifyWaiters: () => {},
    };
    serveFairly(queue);
    for (let nth = 0; nth < count / 10; nth++) queue.dequeue(10);
    expect(queue.messages).toHaveLength(0);
    return looks;
  };
  expect([looksAt(300), looksAt(3000)]).toEqual([300, 3000]);
});

test('messages without a group are received in order', async () => {
  const url = await givenQueue('Plain');
  await send(url, numbered('a', 15));
  expect([...(await receive(url)), ...(await receive(url))]).toEqual(numbered('a', 15));
});
