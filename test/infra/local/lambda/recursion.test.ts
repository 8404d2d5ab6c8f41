import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEventSources } from '../../../../infra/local/lambda/eventSources.ts';
import { Lambda } from '../../../../infra/local/lambda/lambda.ts';
import {
  makeQueues,
  openQueues,
  type Queues,
  queueUrl,
  sqsClient,
} from '../../../../infra/local/queue/queues.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { awsEnvironment } from '../../../../infra/local/template/template.ts';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// A function that sends a message to its own queue for each message that it gets, with the unchanged SDK.

const code = `
const { SendMessageBatchCommand, SQSClient } = require('${root}/node_modules/@aws-sdk/client-sqs');
const sqs = new SQSClient({});
exports.handler = async ({ Records: [{ body }] }) => {
  console.log(body);
  const Entries = [{ Id: 'a', MessageBody: String(Number(body) + 1) }];
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: process.env.QUEUE, Entries }));
};`;

let folder: string;
let queues: Queues;
let lambda: Lambda;
let stop: () => Promise<void>;
let handed: SQSEvent[];
let lines: string[];
beforeEach(async () => {
  folder = temporaryFolder();
  handed = [];
  lines = [];
  queues = await openQueues(folder);
  await makeQueues(queues.endpoint, [{ id: 'Own', type: 'AWS::SQS::Queue', properties: {} }]);
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(folder, 'index.js'), code);
});
afterEach(async () => {
  await stop();
  await lambda.stop();
  await queues.stop();
  removeFolder(folder);
});

async function begin(mayRecur: boolean): Promise<void> {
  const QueueUrl = queueUrl(queues.endpoint, 'Own');
  const variables = {
    QUEUE: QueueUrl,
    AWS_ACCESS_KEY_ID: 'Function',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: awsEnvironment.region,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    AWS_LAMBDA_FUNCTION_NAME: 'Function',
  };
  const settings = {
    folder,
    handler: 'index.handler',
    functionName: 'Function',
    functionArn: 'arn',
    memoryMb: 128,
    timeoutMs: 20_000,
    environmentsMax: 4,
    patienceMs: 0,
    mayRecur,
    codeCache: join(folder, 'code-cache'),
    variables,
  };
  lambda = new Lambda(settings, (_, line) => lines.push(line));
  const invoke: Lambda['invoke'] = (event, traces) => {
    handed.push(event as SQSEvent);
    return lambda.invoke(event, traces);
  };
  const mapping = {
    id: 'Source',
    type: 'AWS::Lambda::EventSourceMapping' as const,
    properties: {
      EventSourceArn: `arn:${awsEnvironment.partition}:local:${awsEnvironment.region}:${awsEnvironment.account}:Own`,
      FunctionName: 'Function',
    },
  };
  stop = await startEventSources([mapping], {
    queuesEndpoint: queues.endpoint,
    databaseEndpoint: '',
    folder,
    checkpoints: new Checkpoints(folder),
    lambdas: new Map([['Function', { invoke }]]),
  });
  await sqsClient(queues.endpoint).send(new SendMessageCommand({ QueueUrl, MessageBody: '1' }));
}

const numbers = (to: number) => Array.from({ length: to }, (_, i) => String(i + 1));

async function invisible(): Promise<number> {
  const QueueUrl = queueUrl(queues.endpoint, 'Own');
  const { Attributes } = await sqsClient(queues.endpoint).send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
}

test('it is stopped after 16 invocations, and the message stays in the queue', async () => {
  await begin(false);
  while (lines.length < 17) await sleep(20);
  expect(lines).toEqual([...numbers(16), expect.stringContaining('Function was not invoked')]);
  // The message before it is being deleted.
  await expect.poll(invisible).toBe(1);
  const traces = handed.map(({ Records }) => Records[0]?.attributes.AWSTraceHeader);
  // The sender of the first message is not a function.
  expect(traces[0]).toBeUndefined();
  expect(traces.slice(1)).toEqual(
    numbers(16).map((count) => expect.stringMatching(`^Root=1-[0-9a-f-]+;Lineage=[0-9a-f]{8}:${count}$`)),
  );
});

test('it goes on where its RecursiveLoop is Allow', async () => {
  await begin(true);
  while (lines.length < 40) await sleep(20);
  expect(lines.slice(0, 40)).toEqual(numbers(40));
});
