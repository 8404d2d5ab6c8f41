import { beforeEach, describe, expect, test } from 'vitest';
import {
  contacts,
  getContact,
  listContacts,
  updateContact,
  upsertContact,
} from '../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const put = (externalId: string, body: object = {}, headers: Record<string, string> = {}, by = key) =>
  call(upsertContact, { key: by, params: { externalId }, body, headers });
const read = async (contactId: string) => (await call(getContact, { key, params: { contactId } })).body;
const total = async () => (await call(listContacts, { key })).body.pagination.total;

describe('201', () => {
  test('there is none: it is created, with the external id of the path, its address and its version', async () => {
    const { status, body, headers } = await put('crm-1', { email: 'ada@example.com', tags: ['b', 'a'] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^con_/),
      ...contacts.blank,
      external_id: 'crm-1',
      email: 'ada@example.com',
      tags: ['a', 'b'],
      version: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(headers.get('Location')).toBe(`${apiUrl}/contacts/${body.id}`);
    expect(headers.get('ETag')).toBe('"1"');
    expect(await read(body.id)).toEqual(body);
  });

  test('a body without any field is a contact, because the external id identifies it', async () => {
    expect((await put('crm-1')).status).toBe(201);
  });

  test('with If-None-Match: *, it is created', async () => {
    expect((await put('crm-1', {}, { 'If-None-Match': '*' })).status).toBe(201);
  });

  test('a key that may not read contacts gets what it created', async () => {
    const { text } = await givenKey(account, ['contacts:write']);
    const { status, body, headers } = await put('crm-1', { note: 'own' }, {}, text);
    expect([status, body.note, body.version]).toEqual([201, 'own', 1]);
    expect(headers.get('Location')).toContain(body.id);
  });
});

describe('200', () => {
  test('there is one: all of it is replaced, and what is left out becomes empty', async () => {
    const full = {
      email: 'ada@example.com',
      address: { city: 'London', country: 'GB' },
      tags: ['a'],
      note: 'x',
      custom_fields: { kept: 1 },
    };
    const { body: before } = await put('crm-1', full);
    const { status, body, headers } = await put('crm-1', { first_name: 'Ada' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      ...contacts.blank,
      external_id: 'crm-1',
      first_name: 'Ada',
      version: 2,
      updated_at: body.updated_at,
    });
    expect(headers.get('Location')).toBe(`${apiUrl}/contacts/${before.id}`);
    expect(headers.get('ETag')).toBe('"2"');
    expect(await read(body.id)).toEqual(body);
  });

  test('an external id that was given up is that of a new contact', async () => {
    const { body } = await put('crm-1');
    await call(updateContact, {
      key,
      params: { contactId: body.id },
      body: { external_id: 'crm-2' },
    });
    const again = await put('crm-1');
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(body.id);
    expect((await put('crm-2')).body.id).toBe(body.id);
  });
});

test('204 for a key that may not read contacts: the version, no address and no body', async () => {
  await put('crm-1', { note: 'before' });
  const { text } = await givenKey(account, ['contacts:write']);
  const { status, body, headers } = await put('crm-1', { note: 'after' }, {}, text);
  expect([status, body, headers.get('ETag'), headers.get('Location')]).toEqual([204, '', '"2"', null]);
});

describe('400', () => {
  test('the body has another external id', async () => {
    const { status, body } = await put('crm-1', { external_id: 'crm-2' });
    expect([status, body.message]).toEqual([
      400,
      'external_id must be left out, or be the one in the path, which is "crm-1"',
    ]);
    expect(await total()).toBe(0);
  });
});
