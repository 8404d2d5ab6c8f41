import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '../../../lib/records/get.ts';
import {
  batchUpsertContacts,
  createContact,
  getContact,
  listContacts,
  updateContact,
  upsertContact,
} from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

/** A contact of the product, which no client has written. */
const givenContact = async (more: object): Promise<string> =>
  (await givenContacts(account, [aContact(more)])).map(({ id }) => id).join();

const item = (id: string) => getItem({ account, type: 'contact' }, id);
const editsOf = async (id: string) => (await item(id)).client_edits;
const patch = (contactId: string, body: object) => call(updateContact, { key, params: { contactId }, body });
const put = (externalId: string, body: object) => call(upsertContact, { key, params: { externalId }, body });
const batch = (...list: object[]) => call(batchUpsertContacts, { key, body: { contacts: list } });

describe('what clients have written of a contact is noted:', () => {
  test('the fields of a create, whichever way', async () => {
    const { body: created } = await call(createContact, {
      key,
      body: { email: 'a@b.de', address: { city: 'Bonn' }, custom_fields: { points: 1 }, note: null },
    });
    expect(await item(created.id)).toMatchObject({
      client_edits: { email: 1, 'address.city': 1, 'custom_fields.points': 1 },
    });
    expect(await editsOf((await put('crm-1', { note: 'a' })).body.id)).toEqual({ external_id: 1, note: 1 });
    const { results } = (await batch({ external_id: 'crm-2', tags: ['a'] })).body;
    expect(await editsOf(results[0]?.id as string)).toEqual({ external_id: 1, tags: 1 });
  });

  test('each field that a change makes different, with its version and its time', async () => {
    const id = await givenContact({ external_id: 'crm-1', note: 'a', phone: '+4930123456' });
    expect(await item(id)).not.toHaveProperty('client_edits');
    await patch(id, { note: 'b', phone: '+4930123456', custom_fields: { points: 1 } });
    expect(await editsOf(id)).toEqual({ note: 2, 'custom_fields.points': 2 });
    await put('crm-1', { note: 'b' });
    expect(await editsOf(id)).toMatchObject({ note: 2, phone: 3, 'custom_fields.points': 3 });
    await batch({ external_id: 'crm-1', note: 'c' });
    const { client_edits, client_edit_times, updated_at } = await item(id);
    expect(client_edits).toMatchObject({ note: 4, phone: 3 });
    expect(client_edit_times).toEqual({ 3: expect.any(String), 4: updated_at });
  });

  test('not what a change leaves as it is', async () => {
    const id = await givenContact({ note: 'a' });
    await patch(id, { note: 'a' });
    expect(await item(id)).not.toHaveProperty('client_edits');
  });
});

test('no answer shows it', async () => {
  const created = await call(createContact, { key, body: { email: 'a@b.de' } });
  const contactId = created.body.id;
  const answers = [
    created,
    await put('crm-1', { note: 'a' }),
    await patch(contactId, { note: 'b' }),
    await call(getContact, { key, params: { contactId } }),
    await call(listContacts, { key }),
  ];
  expect(await item(contactId)).toHaveProperty('client_edits');
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/edit/);
});
