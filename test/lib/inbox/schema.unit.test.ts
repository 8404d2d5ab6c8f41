import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { inboxSchema, schemaFile, schemaText } from '../../../infra/ops/documents/inboxSchema.ts';
import { inboxMessage } from '../../../lib/contract/inbox.ts';
import { resources, resourceTypes } from '../../../lib/resources/index.ts';
import { aContact, anOrder } from '../../support/data/given.ts';
import { aRecord } from '../../support/data/records.ts';
import { inputs } from '../../support/input/inputsThatPeopleSend.ts';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
formats.default(ajv);
const validate = ajv.compile(inboxSchema());

const message = (resource: string, record: object, more: object = {}) => ({
  account: 'acme',
  resource,
  record,
  ...more,
});

test('the file in the tree is what the contract makes; "npm run schema" writes it', () => {
  expect(readFileSync(schemaFile, 'utf8')).toBe(schemaText());
});

test.each([
  [
    'a contact',
    message('contacts', aContact({ email: 'a@b.de', tags: ['x'], custom_fields: { a: 1, b: null } })),
  ],
  ['a contact of which little is said', message('contacts', { external_id: 'x', address: null })],
  ['an order', message('orders', anOrder())],
  ...resourceTypes.map((type): [string, object] => [
    `the example of ${type}`,
    message(resources[type].path, aRecord(type, { updated_at: '2026-03-01T09:00:00Z' })),
  ]),
])('%s is valid by the schema and for the inbox', (_, value) => {
  expect(inboxMessage().safeParse(value).success).toBe(true);
  expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
});

test.each([
  ['nothing', {}],
  ['another resource', message('webhooks', {})],
  ['no account', { resource: 'contacts', record: aContact() }],
  ['an account with a separator', message('contacts', aContact(), { account: 'a#b' })],
  ['no external id', message('contacts', { email: 'a@b.de' })],
  ['an unknown field', message('contacts', aContact({ nope: 1 }))],
  ['a field beside', message('contacts', aContact(), { nope: 1 })],
  ['a number without its country', message('contacts', aContact({ phone: '030' }))],
  ['a custom field that is a list', message('contacts', aContact({ custom_fields: { a: [] } }))],
  ['a custom field with an odd name', message('contacts', aContact({ custom_fields: { A: 1 } }))],
  ['no number', message('orders', anOrder({ number: ' ' }))],
  ['an unknown word', message('orders', anOrder({ status: 'lost' }))],
  ['a currency of four letters', message('orders', anOrder({ currency: 'EURO' }))],
  ['a time without a date', message('orders', anOrder({ placed_at: '09:30:00Z' }))],
  ['a text that is too long', message('contacts', aContact({ first_name: 'x'.repeat(101) }))],
  [
    'a custom text that is too long',
    message('contacts', aContact({ custom_fields: { a: 'x'.repeat(501) } })),
  ],
  ['an address that is none', message('contacts', aContact({ email: 'ada.example.com' }))],
  ['an amount below zero', message('orders', anOrder({ refunded_amount: -1 }))],
  ['a record of another resource', message('orders', aContact())],
])('%s is invalid by both', (_, value) => {
  expect(inboxMessage().safeParse(value).success).toBe(false);
  expect(validate(value)).toBe(false);
});

describe('whatever the inbox takes is valid by the schema', () => {
  const sent = Object.entries(inputs).flatMap(([resource, { rows, base }]) =>
    rows.map(([source, fields]) => [resource, source, { ...base(), ...fields }] as const),
  );

  /** Other ways to write a text. Some fields take some of them. */
  const ways: ((text: string) => string)[] = [
    () => '',
    () => ' ',
    () => '\t\u00a0\r\n',
    () => 'x'.repeat(3000),
    () => '0049 (30) 123456',
    () => '\uff0b\uff14\uff19\uff13\uff10\uff11\uff12\uff13\uff14\uff15\uff16',
    () => '2016-12-31T23:59:60Z',
    (text) => ` ${text}\n`,
    (text) => `${' '.repeat(3000)}${text}`,
    (text) => `\u200b${text}\ufeff`,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => `${text}\u0000\u202e`,
    (text) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    (text) => `${text}\n`.repeat(3),
    (text) => `${text.slice(0, 1)}${'e\u0301'.repeat(99)}`,
  ];

  /** The value in as many variants as it has texts, in each of the ways. */
  function* variants(value: unknown): Generator<unknown> {
    if (typeof value === 'string') for (const way of ways) yield way(value);
    else if (Array.isArray(value))
      for (const [i, one] of value.entries()) for (const other of variants(one)) yield value.with(i, other);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value))
        for (const other of variants(one)) yield { ...value, [name]: other };
  }

  test.each(sent)('%s: %s', (resource, _, record) => {
    const all = [record, ...variants(record)].map((one) => message(resource, one as object));
    const taken = all.filter((one) => inboxMessage().safeParse(one).success);
    for (const one of taken) expect(validate(one), JSON.stringify([one, validate.errors])).toBe(true);
  });

  test('a record with every field, each text in every way', () => {
    for (const type of resourceTypes) {
      const record = aRecord(type, { updated_at: '2026-03-01T09:30:00.000Z' });
      const all = [record, ...variants(record)].map((one) => message(resources[type].path, one as object));
      const taken = all.filter((one) => inboxMessage().safeParse(one).success);
      expect(taken.length).toBeGreaterThan(all.length / 5);
      for (const one of taken) expect(validate(one), JSON.stringify([one, validate.errors])).toBe(true);
    }
  });
});
