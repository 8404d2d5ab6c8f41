import { beforeAll, describe, expect, test } from 'vitest';
import { createContact, getContact, listContacts } from '../../../lib/resources/contacts.ts';
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
      external_id: null,
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: null,
      phone: null,
      company: null,
      job_title: null,
      address: null,
      locale: null,
      timezone: null,
      tags: [],
      note: null,
      custom_fields: {},
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

  test('text is trimmed and normalized, tags are sorted and unique, an empty address becomes null', async () => {
    const { body } = await create({
      email: ' kim@example.com ',
      first_name: '  e\u0301  ',
      tags: ['b', 'a', 'b'],
      address: { city: null },
      note: 'a\r\nb',
      custom_fields: { gone: null, kept: -0 },
    });
    expect(body).toMatchObject({
      email: 'kim@example.com',
      first_name: '\u00e9',
      tags: ['a', 'b'],
      address: null,
      note: 'a\nb',
      custom_fields: { kept: 0 },
    });
  });

  test.each([1, 'x', true])(
    'a custom field may be named like what every object has, and be %j',
    async (value) => {
      const custom_fields = { constructor: value, valueof: value, length: value };
      const { status, body } = await create({ email: 'a@b.de', custom_fields });
      expect([status, body.custom_fields]).toEqual([201, custom_fields]);
      expect((await call(getContact, { key, params: { contactId: body.id } })).body).toEqual(body);
    },
  );

  test('one of e-mail, phone and external id is sufficient', async () => {
    expect((await create({ phone: '+4930123456' })).status).toBe(201);
    expect((await create({ external_id: 'only-this' })).status).toBe(201);
  });

  test('every limit is met exactly', async () => {
    const { status } = await create({
      external_id: 'x'.repeat(255),
      email: `${'l'.repeat(64)}@${'d'.repeat(61)}.${'d'.repeat(61)}.${'d'.repeat(61)}.io`.slice(0, 254),
      first_name: '😀'.repeat(100),
      company: 'c'.repeat(200),
      note: 'n'.repeat(2000),
      tags: Array.from({ length: 50 }, (_, i) => String(i).padStart(50, '0')),
      custom_fields: Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`f${String(i).padStart(39, '0')}`, 'v'.repeat(500)]),
      ),
    });
    expect(status).toBe(201);
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
      'The header Content-Type must be application/json, or another type that ends in +json; ' +
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
      'one of email, phone, external_id must be given',
    ]);
  });

  test.each([
    ['no way to tell who it is', {}, /^one of email, phone, external_id must be given$/],
    ['an e-mail address without an @', { email: 'ada' }, /^email must be an e-mail address of at most 320 /],
    ['a header in an e-mail address', { email: 'a@b.de\r\nBcc: c@d.de' }, /^email must/],
    [
      'a country by its name',
      { email: 'a@b.de', address: { country: 'Deutschland' } },
      /^address\.country must be/,
    ],
    [
      'a zone that does not exist',
      { email: 'a@b.de', timezone: 'Mars/Olympus' },
      /^timezone must be the name of a time zone/,
    ],
    [
      'a control character',
      { email: 'a@b.de', first_name: 'a\u0000b' },
      /^first_name must be a string of 1 to 500 characters, without control/,
    ],
    ['half a character', '{"email":"a@b.de","first_name":"\\ud800"}', /^first_name must/],
    [
      'a list as custom fields',
      { email: 'a@b.de', custom_fields: [] },
      /^custom_fields must be a JSON object/,
    ],
    [
      'a number that is not exact',
      '{"email":"a@b.de","custom_fields":{"n":9007199254740993}}',
      /^custom_fields\.n must have no other number than/,
    ],
    [
      'a field only the server writes',
      { email: 'a@b.de', version: 7 },
      /^version is not known here \(allowed: external_id, email,/,
    ],
    ['a typing error', { emial: 'a@b.de' }, /emial is not known here/],
  ])('%s', async (_, body, message) => {
    const reply = await create(body);
    expect(reply.status).toBe(400);
    expect(reply.body.message).toMatch(message);
  });

  test('all problems are named at once', async () => {
    const { body } = await create({ email: 1, phone: 2, nope: 3 });
    expect(body.message.split('; ')).toHaveLength(3);
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
      /^The contact would take more than the 60000 bytes in an answer that are allowed$/,
    );
  });

  test('a refused request writes nothing', async () => {
    const before = (await call(listContacts, { key })).body.pagination.total;
    await create({ email: 'nobody' });
    await create({ external_id: 'taken' });
    expect((await call(listContacts, { key })).body.pagination.total).toBe(before);
  });
});
