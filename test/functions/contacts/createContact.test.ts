import { beforeAll, describe, expect, test } from 'vitest';
import { contacts, createContact, getContact, listContacts } from '../../../lib/resources/contacts.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';

let key: string;
beforeAll(async () => {
  ({ text: key } = await givenKey(givenAccount()));
});

const create = (body: unknown) => call(createContact, { key, body });

describe('201', () => {
  test('a contact comes back whole, with its address and version in the headers', async () => {
    const { status, body, headers } = await create({ email: 'ada@example.com', first_name: 'Ada' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^con_[0-9a-hjkmnp-tv-z]{24}$/),
      ...contacts.blank,
      email: 'ada@example.com',
      first_name: 'Ada',
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(headers.get('ETag')).toBe('"1"');
    const found = await fetch(headers.get('Location') as string, { headers: { 'X-Api-Key': key } });
    expect(await found.json()).toEqual(body);
  });

  test('every field there is can be set, and is kept', async () => {
    const sent = {
      external_id: 'crm:1+a@b.c=d-e_f',
      email: 'grüße@exämple.example.com',
      first_name: 'Grace',
      last_name: 'Hopper',
      phone: '+12025550123',
      company: 'Navy',
      job_title: 'Rear admiral',
      address: {
        line1: '1 Main St',
        line2: null,
        city: 'New York',
        region: 'NY',
        postal_code: '10001',
        country: 'US',
      },
      locale: 'en-US',
      timezone: 'America/New_York',
      tags: ['vip'],
      note: 'first line\nsecond line',
      custom_fields: { points: 12.5, member: true, nickname: 'Amazing' },
    };
    const { body } = await create(sent);
    expect(body).toMatchObject(sent);
    expect((await call(getContact, { key, params: { contactId: body.id } })).body).toEqual(body);
  });

  test('one of e-mail, phone and external id is sufficient', async () => {
    expect((await create({ phone: '+4930123456' })).status).toBe(201);
    expect((await create({ external_id: 'only-this' })).status).toBe(201);
  });

  test('the created contact is at the end of the next list', async () => {
    const { body } = await create({ email: 'last@example.com' });
    const { body: first } = await call(listContacts, { key });
    const { body: last } = await call(listContacts, { key, query: { offset: first.pagination.total - 1 } });
    expect(last.data).toEqual([body]);
  });
});

describe('400', () => {
  test('names everything at once: query, header, media type and body, or the fields', async () => {
    const wrong = await call(createContact, {
      key,
      query: { nope: 1 },
      headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': 'ä' },
      body: '{}',
    });
    expect(wrong.body.message).toBe(
      'The header Content-Type must be application/json, or an application type that ends in +json; ' +
        'The header Idempotency-Key must be given once, with 1 to 255 printable ASCII characters; ' +
        'nope is not known here (no parameter is allowed)',
    );
    const readable = await call(createContact, {
      key,
      headers: { 'Idempotency-Key': 'x'.repeat(256) },
      body: '{"locale":1,"locale":1,"email":"a@b.de"}',
    });
    expect(readable.body.message).toMatch(
      /^The body has locale more than once .*Idempotency-Key.*; locale must be/,
    );
    const { body } = await call(createContact, { key, query: { nope: 1 }, body: { locale: 1, odd: 1 } });
    expect(body.message.split('; ')).toEqual([
      'nope is not known here (no parameter is allowed)',
      'locale must be a language tag of BCP 47 of at most 35 characters, as in de-DE',
      expect.stringMatching(/^odd is not known here/),
      'at least one of email, phone, external_id must be given',
    ]);
  });

  test('an external id belongs to one contact, and message and Location say to which', async () => {
    const { body: first } = await create({ external_id: 'taken' });
    const { status, body, headers } = await create({ external_id: 'taken', email: 'other@example.com' });
    expect(status).toBe(400);
    expect(headers.get('Location')).toBe(`${apiUrl}/contacts/${first.id}`);
    expect(body.message).toBe(`external_id "taken" already belongs to the contact ${first.id}`);
  });

  test('a contact that could not be listed with 99 others of its size is refused', async () => {
    const custom_fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`f${i}`, '漢'.repeat(500)]),
    );
    const { status, body } = await create({ email: 'a@b.de', custom_fields });
    expect(status).toBe(400);
    expect(body.message).toMatch(
      /^The contact would be larger than the 60000 bytes that it may have in a response$/,
    );
  });
});
