import { beforeEach, describe, expect, test } from 'vitest';
import { batchUpsertContacts, contacts, getContact } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts, givenKey } from '../../support/data/given.ts';
import { allContacts } from '../../support/data/stored.ts';
import { call } from '../../support/http/api.ts';

let account: string;
let key: string;
beforeEach(async () => {
  account = givenAccount();
  ({ text: key } = await givenKey(account));
});

const batch = (contacts: unknown, by = key) => call(batchUpsertContacts, { key: by, body: { contacts } });
const entries = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ external_id: `crm-${i}`, ...more }));
const read = async (contactId: string) => (await call(getContact, { key, params: { contactId } })).body;

describe('200', () => {
  test.each([1, 49, 50, 99, 100])('%s new ones are created, in the order of the batch', async (count) => {
    const { status, body } = await batch(entries(count, { note: 'x' }));
    expect(status).toBe(200);
    const all = await allContacts(account);
    expect(all.map(({ external_id }) => external_id)).toEqual(entries(count).map((one) => one.external_id));
    expect(body.results).toEqual(all.map(({ id }) => ({ status: 201, id, version: 1 })));
    expect(all[0]).toMatchObject({ ...contacts.blank, external_id: 'crm-0', note: 'x' });
  });

  test('new ones, changed ones and unchanged ones: each has the status of its own, and is replaced whole', async () => {
    const [changed, same] = await givenContacts(account, [
      aContact({ external_id: 'changed', note: 'x', tags: ['a'] }),
      aContact({ external_id: 'same', note: 'x' }),
    ]);
    const { body } = await batch([
      { external_id: 'new' },
      { external_id: 'same', note: 'x' },
      { external_id: 'changed', email: 'ada@example.com' },
    ]);
    const [created] = body.results;
    expect(body.results).toEqual([
      { status: 201, id: created?.id, version: 1 },
      { status: 200, id: same?.id, version: 1 },
      { status: 200, id: changed?.id, version: 2 },
    ]);
    expect(await read(changed?.id as string)).toMatchObject({
      ...contacts.blank,
      external_id: 'changed',
      email: 'ada@example.com',
    });
  });

  test('one that is not valid is refused alone, with all its problems', async () => {
    const { body } = await batch([
      { external_id: 'a' },
      { external_id: 'b', email: 'nope', phone: 1 },
      { email: 'ada@example.com' },
      null,
      { external_id: 'c', nope: 1 },
      {
        external_id: 'd',
        custom_fields: Object.fromEntries(entries(50).map((_, i) => [`f${i}`, '漢'.repeat(500)])),
      },
      { external_id: 'e' },
    ]);
    expect(body.results.map(({ status }) => status)).toEqual([201, 400, 400, 400, 400, 400, 201]);
    expect(body.results[1]).toEqual({
      status: 400,
      error: 'Bad Request',
      message: expect.stringMatching(
        /^email must be an e-mail address [^;]*; phone must be a string of 1 to 50 /,
      ),
    });
    const messages = body.results.map(({ message }) => message);
    expect(messages[2]).toMatch(/^external_id is required/);
    expect(messages[3]).toBe('The entry must be a JSON object');
    expect(messages[4]).toMatch(/^nope is not known here \(allowed: external_id, /);
    expect(messages[5]).toContain('60000 bytes');
    expect((await allContacts(account)).map(({ external_id }) => external_id)).toEqual(['a', 'e']);
  });

  test('a key that may not read contacts gets the id of those that it created, and of others the version', async () => {
    await givenContacts(account, [aContact({ external_id: 'old' }), aContact({ external_id: 'same' })]);
    const { text } = await givenKey(account, ['contacts:write']);
    const { body } = await batch(
      [{ external_id: 'old', note: 'x' }, { external_id: 'same' }, { external_id: 'new' }],
      text,
    );
    expect(body.results).toEqual([
      { status: 204, version: 2 },
      { status: 204, version: 1 },
      { status: 201, id: expect.stringMatching(/^con_/), version: 1 },
    ]);
  });
});
