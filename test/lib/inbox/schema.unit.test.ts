import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { inboxSchema, schemaFile, schemaText } from '../../../infra/ops/documents/inboxSchema.ts';
import { inboxMessage } from '../../../lib/contract/inbox.ts';
import { aContact, anOrder, aRegistration } from '../../support/data/given.ts';

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
  ['a registration', message('event-registrations', aRegistration({ updated_at: '2026-03-01T09:00:00Z' }))],
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
  ['an amount below zero', message('orders', anOrder({ discount_amount: -1 }))],
  ['a record of another resource', message('orders', aContact())],
])('%s is invalid by both', (_, value) => {
  expect(inboxMessage().safeParse(value).success).toBe(false);
  expect(validate(value)).toBe(false);
});
