import { beforeAll, expect, inject, test } from 'vitest';
import { readStackFile } from '../../../infra/local/process/stackFile.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { getState } from '../../../lib/records/get.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import {
  batchUpsertContacts,
  contacts,
  createContact,
  listContacts,
  updateContact,
  upsertContact,
} from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { anOrder, givenOrders } from '../../support/data/orders.ts';
import { call } from '../../support/http/api.ts';
import { OutboxReader, type ReceivedMessage, versionOf } from '../../support/pipeline/outboxReader.ts';
import { run } from '../../support/stack/commands.ts';

// The whole way: a change through the API, the stream, and the outbox of the local stack. No other test reads this queue.

let reader: OutboxReader;
let account: string;
let key: string;
let keyId: string;
beforeAll(async () => {
  const running = readStackFile(inject('dataFolder') as string);
  reader = new OutboxReader(running?.recordsOutboxUrl as string);
  account = givenAccount();
  const given = await givenKey(account);
  [key, keyId] = [given.text, given.key.id];
});

/** What the outbox has of an account, each change once, when it has so many. */
async function messages(count: number, of = account): Promise<ReceivedMessage[]> {
  const each = async () => [...new Map((await reader.of(of)).map((one) => [versionOf(one), one])).values()];
  await expect.poll(async () => (await each()).length).toBe(count);
  return each();
}

test('every change by a client and every deletion by an operator is in it, with the state after it, and nothing by the product', async () => {
  const { body: created } = await call(createContact, { key, body: { email: 'a@example.com' } });
  const params = { contactId: created.id };
  const { body: patched } = await call(updateContact, { key, params, body: { note: 'patched' } });
  await givenContacts(account, [aContact({ external_id: 'by the product' })]);
  await givenOrders(account, [anOrder()]);
  const put = { key, params: { externalId: 'put' }, body: { email: 'b@example.com' } };
  const { body: sent } = await call(upsertContact, put);
  const batch = [
    { external_id: 'put', email: 'b@example.com', first_name: 'Ada' },
    { external_id: 'by the product', email: 'c@example.com' },
  ];
  await call(batchUpsertContacts, { key, body: { contacts: batch } });
  expect((await run('delete', ['contacts', created.id, '--account', account])).code).toBe(0);

  const all = await messages(6);
  const told = (id: string, version: number) =>
    all.find(({ resource }) => resource.id === id && resource.version === version);
  expect(told(created.id, 1)).toEqual({
    account,
    origin: { kind: 'api', key_id: keyId },
    id: expect.stringMatching(/^evt_/),
    type: 'contact.created',
    timestamp: created.created_at,
    resource: {
      type: 'contact',
      id: created.id,
      source_id: null,
      revision: null,
      external_id: null,
      version: 1,
    },
    client_edits: { email: 1 },
    changed_fields: [],
    data: created,
    attributes: { account, type: 'contact.created', origin: 'api' },
  });
  expect(told(created.id, 2)).toMatchObject({
    type: 'contact.updated',
    client_edits: { email: 1, note: 2 },
    changed_fields: ['note'],
    data: patched,
  });
  expect(told(created.id, 3)).toMatchObject({
    type: 'contact.deleted',
    origin: { kind: 'operator' },
    merged_into: null,
    data: null,
  });
  const of = (external_id: string) =>
    all
      .filter(({ resource }) => resource.external_id === external_id)
      .map(({ type, resource }) => [type, resource.version]);
  expect(of('put').sort()).toEqual([
    ['contact.created', 1],
    ['contact.updated', 2],
  ]);
  expect(of('by the product')).toEqual([['contact.updated', 2]]);
  expect(told((sent as { id: string }).id, 1)?.data).toEqual(sent);
});

test('it has what the product needs to merge, also when it is sent again and when the contact is deleted', async () => {
  const of = givenAccount();
  const { text } = await givenKey(of);
  const record = { source_id: 'row 7', email: 'a@example.com', custom_fields: { points: 1, level: 2 } };
  const sent = { id: 'm1', body: JSON.stringify({ account: of, resource: 'contacts', record }) };
  await ingest([sent], Number.POSITIVE_INFINITY);
  const list = await call(listContacts, { key: text });
  const id = list.body.data[0]?.id as string;
  const edit = async (body: object) => {
    const { status } = await call(updateContact, { key: text, params: { contactId: id }, body });
    expect(status).toBe(200);
  };
  await edit({ note: 'n', address: { city: 'Berlin' } });
  await edit({ custom_fields: { points: 3, level: null }, tags: ['vip'] });
  const edits = {
    note: 2,
    'address.city': 2,
    'custom_fields.points': 3,
    'custom_fields.level': 3,
    tags: 3,
  };
  const told = async (count: number) =>
    new Map(
      (await messages(count, of)).map(({ resource, client_edits }) => [
        resource.version,
        { source_id: resource.source_id, client_edits },
      ]),
    );
  const { note, 'address.city': city } = edits;
  expect(await told(2)).toEqual(
    new Map([
      [2, { source_id: 'row 7', client_edits: { note, 'address.city': city } }],
      [3, { source_id: 'row 7', client_edits: edits }],
    ]),
  );
  reader.received.length = 0;
  await run('outbox', ['replay', '--account', of]);
  expect(await told(1)).toEqual(new Map([[3, { source_id: 'row 7', client_edits: edits }]]));

  reader.received.length = 0;
  await run('delete', ['contacts', id, '--account', of]);
  const [gone] = await messages(1, of);
  expect(gone).toMatchObject({ type: 'contact.deleted', resource: { source_id: 'row 7', version: 4 } });
  reader.received.length = 0;
  await run('outbox', ['replay', '--account', of]);
  const [again] = await messages(1, of);
  expect(again).toMatchObject({ type: 'contact.deleted', resource: { id, source_id: null }, data: null });
});

test('a replay sends the present state of each record of the account again, and of no other account', async () => {
  const of = givenAccount();
  const { text, key: made } = await givenKey(of);
  const { body } = await call(createContact, { key: text, body: { email: 'a@example.com' } });
  await call(updateContact, { key: text, params: { contactId: body.id }, body: { note: 'n' } });
  await givenContacts(of, [aContact(), aContact()]);
  await givenOrders(of, [anOrder()]);
  const other = givenAccount();
  const { text: theirs } = await givenKey(other);
  await call(createContact, { key: theirs, body: { email: 'other@example.com' } });
  await messages(2, of);
  await messages(1, other);
  reader.received.length = 0;

  const { code, stdout } = await run('outbox', ['replay', '--account', of]);
  expect([code, stdout]).toEqual([0, '4 records were sent to the outbox.\n']);
  const again = await messages(4, of);
  const mine = again.find(({ resource }) => resource.id === body.id);
  const { record } = await getState(inAccount(contacts, of), body.id);
  expect(mine).toMatchObject({
    origin: { kind: 'api', key_id: made.id },
    type: 'contact.updated',
    changed_fields: [],
    data: record,
  });
  expect(await reader.of(other)).toEqual([]);
});

test('a replay of an account without records is refused, as its name is probably mistyped', async () => {
  const { code, stderr } = await run('outbox', ['replay', '--account', givenAccount()]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Check its name')]);
});
