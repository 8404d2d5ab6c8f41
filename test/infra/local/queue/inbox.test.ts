import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StackDescription } from '../../../../infra/local/process/stackFile.ts';
import { aContact, anOrder } from '../../../support/data/given.ts';
import {
  removeFolder,
  type StackProcess,
  startStackProcess,
  temporaryFolder,
} from '../../../support/stack/stackProcess.ts';

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

async function send(body: string): Promise<void> {
  const { description: running } = stack;
  await client(running).send(
    new SendMessageCommand({ QueueUrl: running.recordsInboxUrl, MessageBody: body }),
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

test('a merge into a contact that comes later waits seconds, and the orders follow it', async () => {
  const tell = (said: object, resource = 'contacts') =>
    send(JSON.stringify({ account: 'demo', resource, ...said }));
  const get = async <Record>(path: string) => {
    const response = await fetch(`${stack.ready.url}/${path}`, {
      headers: { 'X-Api-Key': stack.ready.keys.full as string },
    });
    return ((await response.json()) as { data: Record[] }).data;
  };
  const contact = (source_id: string, email: string) => tell({ record: { source_id, email, revision: 1 } });
  const idOf = async (email: string) =>
    (
      await eventually(
        () => get<{ id: string }>(`contacts?email=${email}`),
        ({ length }) => length > 0,
      )
    )[0]?.id;
  await contact('gone', 'gone@example.com');
  await tell({ record: { ...anOrder(), contact_source_id: 'gone' } }, 'orders');
  await eventually(
    async () => get(`orders?contact_id=${await idOf('gone@example.com')}`),
    ({ length }) => length === 1,
  );
  await tell({ deleted: { source_id: 'gone', revision: 2, merged_into: { source_id: 'left' } } });
  await eventually(messagesLeft, ({ waiting }) => waiting === 0);
  await contact('left', 'left@example.com');
  const left = await idOf('left@example.com');
  await eventually(
    () => get(`orders?contact_id=${left}`),
    ({ length }) => length === 1,
  );
  expect(await get(`contacts?email=gone@example.com`)).toEqual([]);
});
