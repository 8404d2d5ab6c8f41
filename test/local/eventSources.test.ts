import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEventSources } from '../../infra/local/eventSources.ts';
import type { Lambda } from '../../infra/local/lambda.ts';
import { makeQueues, openQueues, type Queues, queueUrl, sqsClient } from '../../infra/local/queues.ts';
import { place, type Resource } from '../../infra/local/template.ts';
import { removeFolder, temporaryFolder } from '../support/stackProcess.ts';

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
    EventSourceArn: `arn:${place.partition}:local:${place.region}:${place.account}:Inbox`,
    FunctionName: 'Function',
  },
};

const begin = (lambda: Pick<Lambda, 'invoke'>) =>
  startEventSources(queues.endpoint, [mapping], new Map([['Function', lambda as Lambda]]));

const send = (MessageBody: string) =>
  sqsClient(queues.endpoint).send(
    new SendMessageCommand({ QueueUrl: queueUrl(queues.endpoint, 'Inbox'), MessageBody }),
  );

test('a message reaches its function as SQS would hand it over', async () => {
  const handed = Promise.withResolvers<unknown>();
  const stop = begin({
    invoke: async (event) => {
      handed.resolve(event);
      return 'null';
    },
  });
  await send('hello');
  expect(await handed.promise).toMatchObject({
    Records: [{ body: 'hello', eventSource: 'aws:sqs', attributes: { ApproximateReceiveCount: '1' } }],
  });
  await stop();
});

test('a function that never answers keeps nobody from ending', async () => {
  const handed = Promise.withResolvers<void>();
  const stop = begin({
    invoke: () => {
      handed.resolve();
      return new Promise(() => {});
    },
  });
  await send('hello');
  await handed.promise;
  await stop();
});
