import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsControlClientConfig } from '../../../../infra/local/process/stackFile.ts';
import { sqsClient } from '../../../../infra/local/queue/localQueues.ts';
import { dial } from '../../../support/http/rawHttp.ts';
import { ownStackProcess } from '../../../support/stack/ownStackProcess.ts';
import type { StackProcess } from '../../../support/stack/stackProcess.ts';

// The local stack keeps running, whatever is sent to its ports.

const megabyte = 'x'.repeat(1_048_576);
const paths = [
  '/%',
  '/?%',
  '/%00',
  '//',
  '/../../etc/passwd',
  '*',
  '/v1/contacts/%zz?%=%',
  '/docs/..%2f..%2fpackage.json',
];
const functions = ['/2015-03-31/functions/__proto__/invocations', '/restapis/%/stages/%zz/cache/authorizers'];
const bodies = ['', 'null', '"', '{"QueueUrl":{}}', '{"TableName":null}', '['.repeat(100_000), megabyte];
const targets = ['AmazonSQS.SendMessage', 'AmazonSQS.ReceiveMessage', 'DynamoDB_20120810.Scan', 'nope'];

/** What is sent, in pieces on a new connection. @param headers header lines with which a request is accepted */
function hostileInputs(headers: string): string[][] {
  const begun = (lines: string) => `POST / HTTP/1.1\r\n${headers}${lines}\r\n`;
  const whole = (method: string, path: string, more: string, body = '') =>
    `${method} ${path} HTTP/1.1\r\n${headers}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return [
    ...[...paths, ...functions].flatMap((path) =>
      ['GET', 'POST', 'DELETE'].map((one) => [whole(one, path, '')]),
    ),
    ...targets.flatMap((target) =>
      bodies.map((body) => [whole('POST', '/', `X-Amz-Target: ${target}\r\n`, body)]),
    ),
    [`GET / HTTP/1.1\r\n${headers}X: `, megabyte, '\r\n\r\n'],
    [`GET / HTTP/1.1\r\n${headers}`, 'X: x\r\n'.repeat(10_000), '\r\n'],
    ['\0'.repeat(100_000)],
    [`CONNECT example.com:443 HTTP/1.1\r\n${headers}\r\n`, 'hello'],
    [begun('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'), 'hello'],
    [begun('Expect: 100-continue\r\nContent-Length: 2\r\n'), '{}'],
    [`GET / HTTP/1.1\r\n${headers}\r\n`.repeat(1000)],
    [begun('Content-Length: 20971520\r\n'), ...Array(20).fill(megabyte)],
    [begun('Transfer-Encoding: chunked\r\n'), ...Array(20).fill(`100000\r\n${megabyte}\r\n`)],
    [begun('Transfer-Encoding: chunked\r\n'), 'ZZ\r\n'],
    [begun('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'), '0\r\n\r\n'],
    [begun('Content-Length: 20\r\n'), '{'],
  ];
}

const { started } = ownStackProcess();
let stack: StackProcess;
const held: Socket[] = [];
beforeAll(() => {
  stack = started();
});
afterAll(() => {
  for (const socket of held) socket.destroy();
});

const ports = {
  'the API': () => stack.description.url,
  control: () => stack.description.controlEndpoint,
  queues: () => new URL(stack.description.recordsInboxUrl).origin,
  'the database': () => stack.description.databaseEndpoint,
};

/** Sends pieces, and lets the server answer or close before they are forgotten. */
async function throwAt(url: string, pieces: readonly string[]): Promise<void> {
  const socket = await dial(url, '');
  socket.on('error', () => {});
  const answered = Promise.race([once(socket, 'data'), once(socket, 'close'), sleep(300)]).catch(() => {});
  Readable.from(pieces.map((piece) => Buffer.from(piece, 'latin1'))).pipe(socket, { end: false });
  await answered;
  socket.destroy();
}

/** A request to the API, an invocation by the AWS control API, and a request to a queue. */
async function worksAsEver(): Promise<void> {
  const { ready, description: running } = stack;
  const created = await fetch(`${ready.url}/contacts`, {
    method: 'POST',
    headers: { 'X-Api-Key': ready.keys.full as string, 'Content-Type': 'application/json' },
    body: '{"email":"still@here.test"}',
  });
  expect(created.status).toBe(201);
  const lambda = new LambdaClient(awsControlClientConfig(running));
  const Payload = Buffer.from('{"Records":[]}');
  const invoked = await lambda.send(new InvokeCommand({ FunctionName: running.fanOutFunction, Payload }));
  expect(JSON.parse(invoked.Payload?.transformToString() ?? '')).toEqual({ batchItemFailures: [] });
  const sqs = sqsClient(new URL(running.recordsInboxUrl).origin);
  const attributesOfInbox = new GetQueueAttributesCommand({
    QueueUrl: running.recordsInboxUrl,
    AttributeNames: ['QueueArn'],
  });
  expect((await sqs.send(attributesOfInbox)).Attributes?.QueueArn).toContain('RecordsInbox');
}

describe.each(Object.entries(ports))('%s', (_, url) => {
  test.each([
    ['a foreign origin', () => 'Host: evil.example\r\nOrigin: http://evil.example\r\n'],
    [
      'whoever is let in',
      () => `Host: ${new URL(url()).host}\r\nX-Amz-Security-Token: ${stack.description.controlToken}\r\n`,
    ],
  ])('still answers after all input of %s', async (_, headers) => {
    for (const pieces of hostileInputs(headers())) {
      await throwAt(url(), pieces);
      expect(stack.process.exitCode, `${pieces[0]?.slice(0, 60)}: ${stack.output().slice(-2000)}`).toBeNull();
    }
    await worksAsEver();
  });

  test('still answers while 200 requests do not end', async () => {
    for (let i = 0; i < 200; i++) {
      const half = [
        'GET / HT',
        `POST / HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nContent-Length: 10\r\n\r\n{`,
      ];
      const socket = await dial(url(), half[i % 2] as string);
      held.push(socket.on('error', () => {}));
    }
    await worksAsEver();
  });
});
