import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { buildApp } from 'fauxqs';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { sqsClient } from '../../../infra/local/queue/localQueues.ts';
import { keepFailed } from '../../../infra/local/stream/failedChanges.ts';
import type { Change } from '../../../infra/local/stream/streamClient.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { counterKey } from '../../../lib/records/recordKeys.ts';
import { aContact, givenAccount, givenContacts, givenSubscription } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { accountOf, Stream } from '../../support/pipeline/stream.ts';
import { run } from '../../support/stack/commands.ts';
import { givenDeployedStack } from '../../support/stack/deployedStack.ts';
import { ownStackWithReceiver, until } from '../../support/stack/ownStackProcess.ts';

// A stack of its own, in which nobody else gives anything up.
const { folder, receiver, running: description } = ownStackWithReceiver();
let running: StackDescription;
beforeAll(() => {
  running = description();
});
let account: string;
beforeEach(() => {
  account = givenAccount();
});

const redrive = (...args: string[]) => run('redrive', [...args, '--data', folder]);
const counts = async (...args: string[]) => JSON.parse((await redrive(...args, '--json')).stdout);

const sqs = () => sqsClient(new URL(running.recordsInboxUrl).origin);
const put = (QueueUrl: string, body: unknown) =>
  sqs().send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
      MessageGroupId: 'group',
    }),
  );
const lengthOf = async (QueueUrl: string): Promise<number> => {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
};
/** Takes all that is among some dead letters. Messages that are given back become visible again one after the other. */
async function empty(QueueUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs().send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 43_200,
        WaitTimeSeconds: 2,
      }),
    );
    if (Messages.length === 0) return bodies;
    bodies.push(...Messages.map(({ Body = '' }) => Body));
  }
}

const stating = (note: string) => ({ account, resource: 'contacts', record: aContact({ note }) });

describe('records', () => {
  test('a message that became a dead letter by a bug of ours is stored when it is sent again after the fix', async () => {
    const inbox = running.recordsInboxUrl;
    const dead = running.recordsInboxDeadLettersUrl;
    const comeAgainAfter = (seconds: string) =>
      sqs().send(
        new SetQueueAttributesCommand({ QueueUrl: inbox, Attributes: { VisibilityTimeout: seconds } }),
      );
    const TableName = required(env.recordsTable);
    const head = counterKey({ account, type: 'contact' });
    await dynamodb().send(new PutCommand({ TableName, Item: { ...head, count: 'a fault' } }));
    await comeAgainAfter('0');
    await put(inbox, stating('given up'));
    await until(async () => (await lengthOf(dead)) === 1);
    await comeAgainAfter('360');
    await dynamodb().send(new DeleteCommand({ TableName, Key: head }));
    expect(await redrive('records')).toEqual({
      code: 0,
      stdout: '1 dead letter of records is tried again, 0 stay\n',
      stderr: '',
    });
    await until(async () => (await allContacts(account)).length > 0);
    expect((await allContacts(account)).map(({ note }) => note)).toEqual(['given up']);
    expect(await empty(dead)).toEqual([]);
  });
});

test.each([
  ['deliveries', 'deliveries'],
  ['deferred', 'deferredFanOut'],
  ['deferred', 'deferredIndex'],
] as const)('by the word %s, dead letters of %s are sent again', async (word, queue) => {
  const dead = running[`${queue}DeadLettersUrl`];
  await put(dead, { canary: 1 });
  const { stdout } = await redrive(word);
  expect(stdout).toBe(`1 dead letter of ${word} is tried again, 0 stay\n`);
  expect(await lengthOf(dead)).toBe(0);
});

describe('changes', () => {
  const reason = { condition: 'RetryAttemptsExhausted', invocations: 11 } as const;
  const keep = (changes: Change[]) =>
    keepFailed(folder, {
      functionName: running.fanOutFunction,
      streamArn: 'a',
      shardId: 's',
      changes,
      reason,
    });
  const keptFiles = () => readdirSync(join(folder, 'failed-changes'));

  /** A change of a contact from before the account had a subscription, and the path of the subscription that it has now. */
  async function givenChange(): Promise<{ changes: Change[]; path: string }> {
    const stream = new Stream({ ...running } as never);
    await givenContacts(account, [aContact({ note: 'a canary' })]);
    const changes = (await stream.changes()).filter((change) => accountOf(change) === account);
    expect(changes).toHaveLength(1);
    const path = `hook-${account}`;
    const { secret } = await givenSubscription(account, { url: receiver.url(path) });
    receiver.trust(path, secret);
    return { changes, path };
  }

  test('that were given up become events when they are fanned out again, once each, with any number of runs', async () => {
    const { changes, path } = await givenChange();
    keep(changes);
    expect((await redrive('changes')).stdout).toBe('1 document of changes is tried again, 0 stay\n');
    expect(keptFiles()).toEqual([]);
    await until(() => receiver.requestsAt(path).length > 0);
    keep(changes);
    expect(await counts('changes')).toEqual({ again: 1, stays: 0 });
    // The next event comes after all events of a second replay.
    await givenContacts(account, [aContact({ note: 'the next' })]);
    await until(() => receiver.requestsAt(path).length > 1);
    const received = receiver.requestsAt(path);
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);
    expect(received).toHaveLength(2);
    expect(received.every(({ verifiedBy }) => verifiedBy.length === 1)).toBe(true);
  });

  test('that fail again stay, and stop no other changes', async () => {
    const { changes, path } = await givenChange();
    const [change] = changes as [Change];
    const NewImage = { ...change.dynamodb.NewImage, note: { X: 'a canary' } } as never;
    // More than the queue of deferred changes takes: there is nowhere else for it to go.
    const userIdentity = 'x'.repeat(1_100_000) as never;
    keep([{ ...change, userIdentity, dynamodb: { ...change.dynamodb, NewImage } }]);
    writeFileSync(join(folder, 'failed-changes', '1.json'), '{"canary":1}');
    await sleep(5);
    keep(changes);
    const { code, stdout, stderr } = await redrive('changes');
    expect(stdout).toBe('1 document of changes is tried again, 2 stay\n');
    expect(stderr).toMatch(
      /^1\.json stays: it is no batch of changes that Lambda has kept\n\S+\.json stays: fanOutChanges failed again with 1 of its 1 changes, for now; indexChanges failed again with 1 of its 1 changes, for now\n$/,
    );
    expect(code).toBe(1);
    await until(() => receiver.requestsAt(path).length === 1);
    expect(keptFiles()).toHaveLength(2);
  });

  test('of a deployed stack are in its bucket', async () => {
    const { changes, path } = await givenChange();
    const aws = buildApp({ logger: false });
    onTestFinished(() => aws.close());
    const endpoint = await aws.listen({ port: 0, host: '127.0.0.1' });
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const s3 = new S3Client({ endpoint, region: running.region, credentials, forcePathStyle: true });
    const Bucket = 'failed-changes';
    await s3.send(new CreateBucketCommand({ Bucket }));
    const put = (Key: string, payload: unknown) => {
      const Body = JSON.stringify({
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 11 },
        timestamp: new Date().toISOString(),
        payload,
      });
      return s3.send(new PutObjectCommand({ Bucket, Key, Body }));
    };
    // Which of the two Lambda writes, AWS says nowhere.
    await put('aws/lambda/id/shard/2026/03/01/a b', JSON.stringify({ Records: changes }));
    await put('aws/lambda/id/shard/2026/03/01/c', { Records: changes });
    const env = await givenDeployedStack(running, { FailedChangesBucket: Bucket }, (_, response) =>
      response.destroy(),
    );
    const { code, stdout, stderr } = await run('redrive', ['changes', '--stack', 'public-api-prod'], {
      env: {
        ...env,
        AWS_ENDPOINT_URL_LAMBDA: running.controlEndpoint,
        AWS_ENDPOINT_URL_S3: endpoint,
        AWS_SESSION_TOKEN: running.controlToken,
      },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('2 documents of changes are tried again, 0 stay\n');
    await until(() => receiver.requestsAt(path).length === 1);
    expect((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents).toBeUndefined();
  });
});
