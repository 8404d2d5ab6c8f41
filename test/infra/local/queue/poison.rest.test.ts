import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEventSources } from '../../../../infra/local/lambda/eventSources.ts';
import { Lambda } from '../../../../infra/local/lambda/lambda.ts';
import {
  makeQueues,
  openQueues,
  type Queues,
  queueUrl,
  sqsClient,
} from '../../../../infra/local/queue/localQueues.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import type { Json } from '../../../../infra/local/template/intrinsics.ts';
import { type Resource, readTemplate, type Template } from '../../../../infra/local/template/template.ts';
import { env, required } from '../../../../lib/env.ts';
import { ingestReserveMs } from '../../../../lib/inbox/ingest.ts';
import { aContact, givenAccount } from '../../../support/data/given.ts';
import { allContacts } from '../../../support/data/stored.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

/** The visibility timeout and the timeout of the function, far shorter than in the template. */
const [invisibleSeconds, timeoutMs] = [6, 4000];

/** The template has five. */
const receivesMax = 3;

const folder = temporaryFolder();
let queues: Queues;
let template: Template;
let client: SQSClient;
let lambda: Lambda;
let stop: () => Promise<void>;

/** An error that two messages cause: one kills the function, and one stalls it. */
const mistake = `
  const { parse } = JSON;
  JSON.parse = (text, ...more) => {
    const value = parse(text, ...more);
    if (value?.record?.note === 'stalls') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (value?.record?.note === 'kills') process.exit(1);
    return value;
  };
  const { handler } = require('./bundle.js');
  // The reserve of the function is longer than its timeout in this test.
  const patient = (context) => ({ ...context, getRemainingTimeInMillis: () => ${ingestReserveMs} + context.getRemainingTimeInMillis() });
  exports.handler = (event, context) => handler(event, patient(context));
`;

/** The bundle of the template, with the error in front of it. */
function withMistake(bundle: string): string {
  const copy = join(folder, 'bundle');
  mkdirSync(copy);
  writeFileSync(join(copy, 'package.json'), '{"type":"commonjs"}');
  copyFileSync(join(bundle, 'index.js'), join(copy, 'bundle.js'));
  writeFileSync(join(copy, 'index.js'), mistake);
  return copy;
}

const impatient = (queue: Resource): Resource => {
  const { RedrivePolicy, ...properties } = queue.properties;
  const redrive = RedrivePolicy as Record<string, Json> | undefined;
  return {
    ...queue,
    properties: {
      ...properties,
      VisibilityTimeout: invisibleSeconds,
      ...(redrive ? { RedrivePolicy: { ...redrive, maxReceiveCount: receivesMax } } : {}),
    },
  };
};

beforeAll(async () => {
  queues = await openQueues(folder);
  client = sqsClient(queues.endpoint);
  template = readTemplate(await currentAssembly(), { queueUrl: (id) => queueUrl(queues.endpoint, id) });
  await makeQueues(queues.endpoint, template.resources('AWS::SQS::Queue').map(impatient));
  const [{ id, properties }] = template
    .resources('AWS::Lambda::Function')
    .filter((resource) => resource.id.includes('ingestRecords')) as [Resource];
  const { Code, Environment, MemorySize } = properties as unknown as {
    Code: { S3Key: string };
    Environment: { Variables: Record<string, string> };
    MemorySize: number;
  };
  lambda = new Lambda(
    {
      folder: withMistake(template.codeFolder(Code.S3Key)),
      handler: 'index.handler',
      functionName: id,
      functionArn: 'arn:fn',
      memoryMb: MemorySize,
      timeoutMs,
      environmentsMax: 24,
      waitMs: 0,
      codeCache: template.codeCache,
      variables: {
        ...Environment.Variables,
        [env.recordsTable]: required(env.recordsTable),
        AWS_ACCESS_KEY_ID: id,
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_REGION: process.env.AWS_REGION as string,
        AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB as string,
        AWS_ENDPOINT_URL_SQS: queues.endpoint,
      },
    },
    () => {},
  );
  const mappings = template
    .resources('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.FunctionName === id);
  stop = await startEventSources(mappings, {
    queuesEndpoint: queues.endpoint,
    databaseEndpoint: '',
    folder,
    checkpoints: new Checkpoints(folder),
    lambdas: new Map([[id, lambda]]),
  });
});
afterAll(async () => {
  await lambda.stop();
  await stop();
  client.destroy();
  await queues.stop();
  removeFolder(folder);
});

const urlOf = (output: string): string => template.output(output);

/** The number of messages in a queue, including invisible ones. */
async function messagesIn(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes;
  return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
}

test('messages that kill or stall the function become dead letters alone, and the messages beside them are stored once each', async () => {
  const account = givenAccount();
  const notes = ['good 1', 'stalls', 'good 2', 'good 3', 'kills', 'good 4', 'good 5'];
  await client.send(
    new SendMessageBatchCommand({
      QueueUrl: urlOf('RecordsInboxUrl'),
      Entries: notes.map((note, i) => ({
        Id: String(i),
        MessageBody: JSON.stringify({ account, resource: 'contacts', record: aContact({ note }) }),
      })),
    }),
  );
  const dead = urlOf('RecordsInboxDeadLettersUrl');
  await expect.poll(() => messagesIn(dead), { interval: 500 }).toBe(2);
  await expect
    .poll(async () => (await allContacts(account)).map(({ note }) => note).sort())
    .toEqual(['good 1', 'good 2', 'good 3', 'good 4', 'good 5']);
  for (const { id } of template
    .resources('AWS::SQS::Queue')
    .filter((queue) => queue.id.includes('RecordsInbox')))
    if (!dead.endsWith(id)) await expect.poll(() => messagesIn(queueUrl(queues.endpoint, id))).toBe(0);
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: dead, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
  );
  const left = Messages.map(({ Body = '' }) => JSON.parse(Body).record.note);
  expect(left.sort()).toEqual(['kills', 'stalls']);
  // Nothing was changed a second time.
  expect((await allContacts(account)).map(({ version }) => version)).toEqual([1, 1, 1, 1, 1]);
});
