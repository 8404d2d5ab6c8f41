import {
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { batchesAtOnce, startEventSources } from '../../../../infra/local/lambda/eventSources.ts';
import type { Lambda } from '../../../../infra/local/lambda/lambda.ts';
import {
  makeQueues,
  openQueues,
  type Queues,
  queueUrl,
  sqsClient,
} from '../../../../infra/local/queue/localQueues.ts';
import { Checkpoints } from '../../../../infra/local/stream/checkpoints.ts';
import { awsEnvironment, type Resource } from '../../../../infra/local/template/template.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

let folder: string;
let queues: Queues;
beforeEach(async () => {
  folder = temporaryFolder();
  queues = await openQueues(folder);
  await makeQueues(queues.endpoint, [{ id: 'Inbox', type: 'AWS::SQS::Queue', properties: {} }]);
});
afterEach(async () => {
  await queues.stop();
  removeFolder(folder);
});

const mapping: Resource = {
  id: 'Source',
  type: 'AWS::Lambda::EventSourceMapping',
  properties: {
    EventSourceArn: `arn:${awsEnvironment.partition}:local:${awsEnvironment.region}:${awsEnvironment.account}:Inbox`,
    FunctionName: 'Function',
  },
};

const begin = (lambda: Pick<Lambda, 'invoke'>, properties: Resource['properties'] = {}) =>
  startEventSources([{ ...mapping, properties: { ...mapping.properties, ...properties } }], {
    queuesEndpoint: queues.endpoint,
    databaseEndpoint: '',
    folder,
    checkpoints: new Checkpoints(folder),
    lambdas: new Map([['Function', lambda]]),
  });

const send = (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
  sqsClient(queues.endpoint).send(
    new SendMessageCommand({ QueueUrl: queueUrl(queues.endpoint, 'Inbox'), MessageBody, ...more }),
  );

const bodiesOf = (event: unknown) => (event as SQSEvent).Records.map(({ body }) => body);

test.each([
  [{}, 24],
  [{ ScalingConfig: { MaximumConcurrency: 2 } }, 2],
  [{ ScalingConfig: { MaximumConcurrency: 100 } }, 24],
  [{ ScalingConfig: { MaximumConcurrency: 3 }, BatchSize: 1 }, 1],
])('with %j there are %i batches at once', (properties, count) => {
  expect(batchesAtOnce({ ...mapping, properties: { ...mapping.properties, ...properties } })).toBe(count);
});

test('the delay of a message delays no other message, alone and in a batch, also with a group', async () => {
  const QueueUrl = queueUrl(queues.endpoint, 'Inbox');
  const got: string[] = [];
  const stop = await begin({
    invoke: async (event) => {
      got.push(...bodiesOf(event));
      return 'null';
    },
  });
  await send('later', { DelaySeconds: 2, MessageGroupId: 'tenant' });
  await sqsClient(queues.endpoint).send(
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: [
        { Id: 'a', MessageBody: 'later too', DelaySeconds: 2, MessageGroupId: 'tenant' },
        { Id: 'b', MessageBody: 'now', MessageGroupId: 'tenant' },
      ],
    }),
  );
  await expect.poll(() => got).toHaveLength(3);
  expect([got[0], ...got.slice(1).sort()]).toEqual(['now', 'later', 'later too']);
  await stop();
});
