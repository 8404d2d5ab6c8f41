import { beforeEach, describe, expect, test } from 'vitest';
import { type Contact, contacts, getContact, updateContact } from '../../../lib/resources/contacts.ts';
import { writableOf } from '../../../lib/resources/resource.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';

let account: string;
let key: string;
let contact: Contact;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
  [contact] = (await givenContacts(account, [
    aContact({
      email: 'ada@example.com',
      first_name: 'Ada',
      address: { city: 'London', country: 'GB' },
      tags: ['a', 'b'],
      custom_fields: { kept: 1, changed: 1, removed: 1 },
    }),
  ])) as [Contact];
});

const update = (body: unknown, contactId = contact.id) =>
  call(updateContact, { key, params: { contactId }, body });
const read = async () => (await call(getContact, { key, params: { contactId: contact.id } })).body;

describe('200', () => {
  test('what is sent changes, what is not sent stays, and the version grows by one', async () => {
    const { status, body, headers } = await update({ first_name: 'Augusta' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...contact, first_name: 'Augusta', version: 2, updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(contact.updated_at));
    expect(headers.get('ETag')).toBe('"2"');
    expect(await read()).toEqual(body);
  });

  test('address and custom fields are merged part by part, tags are replaced', async () => {
    const { body } = await update({
      address: { city: null, postal_code: 'SW1' },
      custom_fields: { changed: 2, removed: null, added: 'x' },
      tags: ['c'],
    });
    expect(body.address).toMatchObject({ city: null, postal_code: 'SW1', country: 'GB' });
    expect(body.custom_fields).toEqual({ added: 'x', changed: 2, kept: 1 });
    expect(body.tags).toEqual(['c']);
  });

  test.each([
    [{}],
    [{ first_name: 'Ada' }],
    [{ address: { city: 'London' } }],
    [{ tags: ['b', 'a'] }],
    [{ custom_fields: { kept: 1 } }],
  ])('a change that changes nothing keeps version and time: %j', async (change) => {
    expect((await update(change)).body).toEqual(contact);
    expect(await read()).toEqual(contact);
  });

  test('a whole contact as it was read changes what was changed in it, and nothing else', async () => {
    // Without the fields that only the app behind the API writes, if there are any.
    const closed = Object.keys(contacts.fields).filter((name) => !(name in writableOf(contacts)));
    const whole = Object.fromEntries(Object.entries(contact).filter(([name]) => !closed.includes(name)));
    expect((await update(whole)).body).toEqual(contact);
    const { body } = await update({ ...whole, note: 'x' });
    expect(body).toEqual({ ...contact, note: 'x', version: 2, updated_at: body.updated_at });
    expect((await update({ ...whole, note: 'y' })).body.message).toMatch(
      /^version must be left out or unchanged/,
    );
  });

  test('an external id can be given up, and then be taken by another', async () => {
    const [other] = (await givenContacts(account, [aContact({ email: 'x@example.com' })])) as [Contact];
    await update({ external_id: 'mine' });
    const { body, headers } = await update({ external_id: 'mine' }, other.id);
    expect(body.message).toBe(`external_id "mine" already belongs to the contact ${contact.id}`);
    expect(headers.get('Location')).toBe(`${apiUrl}/contacts/${contact.id}`);
    await update({ external_id: null });
    expect((await update({ external_id: 'mine' }, other.id)).body.external_id).toBe('mine');
  });

  test('the media type of merge patch is accepted, too', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { status } = await call(updateContact, {
      key,
      params: { contactId: contact.id },
      body: { note: 'x' },
      headers,
    });
    expect(status).toBe(200);
  });
});

describe('400', () => {
  test('a contact keeps one of e-mail, phone and external id', async () => {
    const { status, body } = await update({ email: null, external_id: null });
    expect(status).toBe(400);
    expect(body.message).toBe('at least one of email, phone, external_id must be given');
    expect(await read()).toEqual(contact);
  });

  test.each([
    [{ id: 'con_0x7aej2svz025b0x7prpcchs', note: 'x' }, ['id']],
    [{ version: 2, updated_at: '2026-03-01T09:30:00Z' }, ['version', 'updated_at']],
  ])('fields of the server are not to be changed: %j', async (change, names) => {
    const { status, body } = await update(change);
    expect([status, body.message]).toEqual([
      400,
      names.map((name) => `${name} must be left out or unchanged: only the server changes it`).join('; '),
    ]);
    expect(await read()).toEqual(contact);
  });

  test('of several unknown fields, the message says once what is allowed', async () => {
    const { body } = await update({ adress: {}, phone_number: '1', custom_fields: {} });
    expect(body.message).toMatch(
      /^adress is not known here \(allowed: [a-z_, ]+\); phone_number is not known here$/,
    );
  });
});
