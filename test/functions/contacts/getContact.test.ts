import { beforeAll, describe, expect, test } from 'vitest';
import { type Contact, getContact } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';

let key: string;
let contact: Contact;
beforeAll(async () => {
  const account = givenAccount();
  ({ text: key } = await givenKey(account, ['contacts:read']));
  [contact] = (await givenContacts(account, [aContact({ email: 'ada@example.com' })])) as [Contact];
});

const get = (contactId: string, as = key) => call(getContact, { key: as, params: { contactId } });

describe('200', () => {
  test('the contact, with its version as the ETag', async () => {
    const { status, body, headers } = await get(contact.id);
    expect(status).toBe(200);
    expect(body).toEqual(contact);
    expect(headers.get('ETag')).toBe('"1"');
  });
});

describe('404', () => {
  test('an id that was never given', async () => {
    const id = `con_${'0'.repeat(24)}`;
    const { status, body } = await get(id);
    expect(status).toBe(404);
    expect(body).toEqual({ error: 'Not Found', message: `No contact has the id "${id}"` });
  });

  test("another account's contact is answered as if it were not there", async () => {
    const { text: foreign } = await givenKey(givenAccount());
    const { status, body } = await get(contact.id, foreign);
    expect(status).toBe(404);
    expect(body).toEqual({ error: 'Not Found', message: `No contact has the id "${contact.id}"` });
  });

  test('an id of the same position with another random part', async () => {
    const last = contact.id.endsWith('0') ? '1' : '0';
    expect((await get(contact.id.slice(0, -1) + last)).status).toBe(404);
  });

  test.each([
    'con_x',
    'ord_000000000000000000000000',
    '..',
    '%2F',
    'a b',
    '\u0000',
    'é',
    '{}',
    'x'.repeat(2048),
  ])('what is no id of a contact: %s', async (id) => {
    expect((await get(id)).status).toBe(404);
  });
});

describe('400', () => {
  test('there are no parameters', async () => {
    const { status, body } = await call(getContact, {
      key,
      params: { contactId: contact.id },
      query: { fields: 'id' },
    });
    expect(status).toBe(400);
    expect(body.message).toBe('fields is not known here (no parameter is allowed)');
  });
});
