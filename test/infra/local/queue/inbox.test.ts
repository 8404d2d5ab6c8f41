import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StackDescription } from '../../../../infra/local/process/stackFile.ts';
import { queueUrl } from '../../../../infra/local/queue/localQueues.ts';
import { currentAssembly } from '../../../../infra/local/template/assembly.ts';
import { aContact } from '../../../support/data/given.ts';
import { anOrder } from '../../../support/data/orders.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../../../support/stack/stackProcess.ts';
import { readAssembly } from '../../../support/stack/synth.ts';

const folder = temporaryFolder();
let stack: StackProcess;
beforeAll(async () => {
  stack = await startStackProcess(folder);
});
afterAll(async () => {
  await stack.stop();
  removeFolder(folder);
});

const client = ({ recordsInboxUrl, region }: StackDescription) =>
  new SQSClient({
    endpoint: new URL(recordsInboxUrl).origin,
    region,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });

async function send(body: string, url?: string): Promise<void> {
  const { description: running } = stack;
  await client(running).send(
    new SendMessageCommand({ QueueUrl: url ?? running.recordsInboxUrl, MessageBody: body }),
  );
}

const stating = (note: string) =>
  JSON.stringify({ account: 'demo', resource: 'contacts', record: aContact({ note }) });

async function contactsFrom(offset: number): Promise<{ note: string }[]> {
  const { url, keys } = stack.ready;
  const response = await fetch(`${url}/contacts?limit=100&offset=${offset}`, {
    headers: { 'X-Api-Key': keys.full as string },
  });
  return ((await response.json()) as { data: { note: string }[] }).data;
}

/** The number of contacts of the demo account. */
const demoCount = 240;

async function eventually<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await sleep(50);
  }
}

const messagesLeft = async () => {
  const { description: running } = stack;
  const { Attributes } = await client(running).send(
    new GetQueueAttributesCommand({ QueueUrl: running.recordsInboxUrl, AttributeNames: ['All'] }),
  );
  return {
    waiting: Number(Attributes?.ApproximateNumberOfMessages),
    invisible: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
  };
};

test('messages of the inbox are stored and readable by the API, and failed ones are kept for another try', async () => {
  await send(stating('from the inbox'));
  await send('nonsense');
  const [contact] = await eventually(
    () => contactsFrom(demoCount),
    (data) => data.length > 0,
  );
  expect(contact).toMatchObject({ note: 'from the inbox' });
  // The record exists a moment before its message is deleted.
  const left = await eventually(messagesLeft, ({ waiting, invisible }) => waiting === 0 && invisible < 2);
  expect(left).toEqual({ waiting: 0, invisible: 1 });
});

test('kill -9 loses no message', async () => {
  const notes = Array.from({ length: 60 }, (_, i) => `message ${i}`);
  await Promise.all(notes.map((note) => send(stating(note))));
  await stack.kill();
  stack = await startStackProcess(folder);
  const stored = async () => {
    const found = new Set((await contactsFrom(demoCount + 1)).map(({ note }) => note));
    return notes.filter((note) => found.has(note)).length;
  };
  // What was under way when the stack was killed can be received again as soon as it has started.
  expect(await eventually(stored, (count) => count === notes.length)).toBe(notes.length);
});

const linesAbout = (text: string): number =>
  readFileSync(join(folder, 'lambda.log'), 'utf8').split(text).length - 1;

const retriesUrl = async ({ queuesEndpoint }: StackDescription) => {
  const queues = readAssembly(await currentAssembly()).ofType('AWS::SQS::Queue');
  return queueUrl(queuesEndpoint, queues.find(([id]) => id.startsWith('RecordsInboxRetries'))?.[0] as string);
};

test.each([
  ['inbox', async ({ recordsInboxUrl }: StackDescription) => recordsInboxUrl],
  ['retries', retriesUrl],
] as const)(
  'a merge into a contact that comes later waits seconds in the %s, and the orders follow it',
  async (queue, urlOf) => {
    const tell = (said: object, resource = 'contacts', url?: string) =>
      send(JSON.stringify({ account: 'demo', resource, ...said }), url);
    const get = async <Record>(path: string) => {
      const response = await fetch(`${stack.ready.url}/${path}`, {
        headers: { 'X-Api-Key': stack.ready.keys.full as string },
      });
      return ((await response.json()) as { data: Record[] }).data;
    };
    const [gone, left] = [
      `gone-${queue}@example.com`.toLowerCase(),
      `left-${queue}@example.com`.toLowerCase(),
    ];
    const contact = (email: string) => tell({ record: { source_id: email, email, revision: 1 } });
    const idOf = async (email: string) =>
      (
        await eventually(
          () => get<{ id: string }>(`contacts?email=${email}`),
          ({ length }) => length > 0,
        )
      )[0]?.id;
    await contact(gone);
    await tell({ record: { ...anOrder(), contact_source_id: gone } }, 'orders');
    await eventually(
      async () => get(`orders?contact_id=${await idOf(gone)}`),
      ({ length }) => length === 1,
    );
    const waited = linesAbout('a merge waits for its other record');
    const merge = { source_id: gone, revision: 2, merged_into: { source_id: left } };
    await tell({ deleted: merge }, 'contacts', await urlOf(stack.description));
    await eventually(
      async () => linesAbout('a merge waits for its other record'),
      (lines) => lines > waited,
    );
    await contact(left);
    const leftId = await idOf(left);
    await eventually(
      () => get(`orders?contact_id=${leftId}`),
      ({ length }) => length === 1,
    );
    expect(await get(`contacts?email=${gone}`)).toEqual([]);
  },
);
