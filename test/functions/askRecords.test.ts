import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { handler } from '../../functions/askRecords.ts';
import { ingest } from '../../lib/inbox/ingest.ts';
import { aContact, givenAccount, givenContacts } from '../support/data/given.ts';
import { lambdaContext } from '../support/http/events.ts';
import { asFunction } from '../support/permissions/asFunction.ts';

const askRecords = asFunction('askRecords', handler);
const ask = (question: object) => askRecords(question, lambdaContext()) as Promise<Record<string, unknown>>;

const send = (message: object) =>
  ingest([{ id: randomUUID(), body: JSON.stringify(message) }], Number.POSITIVE_INFINITY);

test('the product learns which record its rows have, which are deleted, and which are unknown', async () => {
  const about = { account: givenAccount(), resource: 'contacts' };
  for (const source_id of ['1', '2']) await send({ ...about, record: { source_id, revision: 3 } });
  await send({ ...about, deleted: { source_id: '2', revision: 4 } });
  // It was deleted before anything was sent of it.
  await send({ ...about, deleted: { source_id: '3', revision: 1 } });
  const { rows } = await ask({ ...about, source_ids: ['1', '2', '3', '4'] });
  const id = expect.stringMatching(/^con_/);
  const nothing = { deleted: true, version: null, revision: null };
  expect((rows as { source_id: string }[]).sort((a, b) => a.source_id.localeCompare(b.source_id))).toEqual([
    { source_id: '1', id, deleted: false, version: 1, revision: 3 },
    { source_id: '2', id, ...nothing },
    { source_id: '3', id: null, ...nothing },
  ]);
});

test('the product learns which row a record has, after merges the row that is left, and of a deleted record none', async () => {
  const about = { account: givenAccount(), resource: 'contacts' };
  for (const source_id of ['1', '2', '3', '4']) await send({ ...about, record: { source_id, revision: 1 } });
  const { rows } = await ask({ ...about, source_ids: ['1', '2', '3', '4'] });
  const ids = new Map((rows as { source_id: string; id: string }[]).map((row) => [row.source_id, row.id]));
  const merge = (source_id: string, into: string | null) =>
    send({
      ...about,
      deleted: { source_id, revision: 2, merged_into: into === null ? null : { source_id: into } },
    });
  await merge('1', '2');
  await merge('2', '3');
  await merge('4', null);
  const asked = ['1', '2', '3', '4'].map((source_id) => ids.get(source_id));
  expect(await ask({ ...about, ids: [...asked, 'con_unknown'] })).toEqual({
    rows: [
      { id: asked[0], source_id: '3', deleted: true },
      { id: asked[1], source_id: '3', deleted: true },
      { id: asked[2], source_id: '3', deleted: false },
      { id: asked[3], source_id: null, deleted: true },
    ],
  });
});

test('the product reads all living records of an account, as the outbox has them', async () => {
  const about = { account: givenAccount(), resource: 'contacts' };
  const drafts = Array.from({ length: 30 }, (_, i) => aContact({ external_id: `e${i}` }));
  const contacts = await givenContacts(about.account, drafts);
  await send({ ...about, deleted: { external_id: 'e7' } });
  await send({ ...about, record: { source_id: 'row', id: contacts[29]?.id, revision: 1, note: 'Linked' } });
  const read: { resource: { id: string }; data: object }[] = [];
  for (let from: unknown = 0; from !== null; ) {
    const { records, next } = await ask({ ...about, from });
    read.push(...(records as typeof read));
    from = next;
  }
  const living = contacts.filter((_, i) => i !== 7).map(({ id }) => id);
  expect(read.map(({ resource }) => resource.id)).toEqual(living);
  expect(read.at(-1)).toMatchObject({
    resource: { type: 'contact', source_id: 'row', revision: 1, version: 2 },
    data: { note: 'Linked' },
  });
});

test('a beat of a database is noted after the one before it alone', async () => {
  const database = randomUUID();
  const beat = (previous: string | null, next: string | null, contacts: number) =>
    ask({ database, previous, next, keys: { contacts } });
  expect(await beat(null, '1-a', 7)).toEqual({ beat: '1-a', keys: {} });
  expect(await beat(null, '1-a', 7)).toEqual({ beat: '1-a', keys: { contacts: 7 } });
  expect(await beat('1-a', '2-b', 9)).toEqual({ beat: '2-b', keys: { contacts: 7 } });
  const known = { beat: '2-b', keys: { contacts: 9 } };
  expect(await beat('1-a', '2-c', 8)).toEqual(known);
  expect(await beat('1-a', null, 8)).toEqual(known);
});

test.each([
  [{}, /^account is required/],
  [{ account: 'acme', resource: 'invoices', from: 0 }, /^resource/],
  [{ account: 'acme', resource: 'contacts', source_ids: [] }, /^source_ids must be a list of 1 to 100/],
  [{ account: 'acme', resource: 'contacts', ids: [] }, /^ids must be a list of 1 to 100/],
  [{ database: 'x', previous: null, next: null, keys: { contacts: -1 } }, /^keys/],
])('%j is refused, and the error says what is allowed', async (question, message) => {
  await expect(ask(question)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(message),
  });
});
