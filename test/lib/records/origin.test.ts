import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import type { Origin } from '../../../lib/contract/origin.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { ingest } from '../../../lib/inbox/ingest.ts';
import { createInGroup } from '../../../lib/records/commitQueue/follower.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { newDraft } from '../../../lib/records/recordItem.ts';
import { inAccount, recordKey } from '../../../lib/records/recordKeys.ts';
import { byKey, byProduct } from '../../../lib/records/recordOrigin.ts';
import {
  batchUpsertContacts,
  type Contact,
  contacts,
  createContact,
  updateContact,
  upsertContact,
} from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

let account: string;
let key: string;
let ofKey: Origin;
beforeEach(async () => {
  account = givenAccount();
  const given = await givenKey(account);
  key = given.text;
  ofKey = byKey(given.key.id);
});

const itemAt = async (position: number): Promise<Record<string, unknown>> => {
  const Key = recordKey({ account, type: 'contact' }, position);
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.recordsTable), Key, ConsistentRead: true }),
  );
  return Item ?? {};
};
const originOf = async (id: string) => (await itemAt(positionOf('con', id) as number)).origin;
const originAt = async (position: number) => (await itemAt(position)).origin;

const message = (record: object) => ({
  id: '1',
  body: JSON.stringify({ account, resource: 'contacts', record }),
});
const soon = () => Date.now() + 20_000;

test('each way to write a record notes its origin', async () => {
  const { body: created } = await call(createContact, { key, body: { email: 'a@example.com' } });
  expect(await originOf(created.id)).toEqual(ofKey);
  const [sent] = (await givenContacts(account, [aContact({ external_id: 'a' })])) as [Contact];
  expect(await originOf(sent.id)).toEqual(byProduct);

  const params = { contactId: sent.id };
  await call(updateContact, { key, params, body: { note: 'patched' } });
  expect(await originOf(sent.id)).toEqual(ofKey);
  expect(await ingest([message({ external_id: 'a', note: 'from the inbox' })], soon())).toEqual([]);
  expect(await originOf(sent.id)).toEqual(byProduct);
  const put = { key, params: { externalId: 'a' }, body: { email: 'put@example.com' } };
  await call(upsertContact, put);
  expect(await originOf(sent.id)).toEqual(ofKey);

  expect(await ingest([message({ external_id: 'b', note: 'new' })], soon())).toEqual([]);
  expect(await originAt(2)).toEqual(byProduct);
  const batch = [
    { external_id: 'b', note: 'in a batch' },
    { external_id: 'c', email: 'c@example.com' },
  ];
  await call(batchUpsertContacts, { key, body: { contacts: batch } });
  expect([await originAt(2), await originAt(3)]).toEqual([ofKey, ofKey]);
  await call(upsertContact, { ...put, params: { externalId: 'd' } });
  expect(await originAt(4)).toEqual(ofKey);

  const draft = newDraft<Contact>(
    contacts,
    { ...contacts.blank, email: 'queued@example.com' },
    { origin: ofKey },
  );
  expect(await createInGroup(inAccount(contacts, account), draft, soon())).toMatchObject({ position: 5 });
  expect(await originAt(5)).toEqual(ofKey);
});

test('a write that changes nothing leaves the origin as it is, also one that only brings a later time', async () => {
  const { body } = await call(createContact, { key, body: { external_id: 'a' } });
  const again = message({ external_id: 'a', updated_at: '2026-03-01T09:30:00Z' });
  expect(await ingest([again], soon())).toEqual([]);
  expect(await itemAt(0)).toMatchObject({
    id: body.id,
    origin: ofKey,
    row_at: '2026-03-01T09:30:00.000Z',
  });
});
