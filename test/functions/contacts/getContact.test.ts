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

  test('an id of the same position with another random part', async () => {
    const last = contact.id.endsWith('0') ? '1' : '0';
    expect((await get(contact.id.slice(0, -1) + last)).status).toBe(404);
  });
});
