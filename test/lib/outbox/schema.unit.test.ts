import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { outboxSchema, outboxSchemaFile, schemaText } from '../../../infra/ops/documents/messageSchemas.ts';
import { exampleOf } from '../../../infra/pages/reference/openapi/components.ts';
import { outboxMessage } from '../../../lib/contract/outboxContract.ts';
import { entryOf } from '../../../lib/feed/feedEntry.ts';
import { outboxEntryOf, outboxMessageOf, presentMessageOf } from '../../../lib/outbox/outboxMessage.ts';
import { type ForProduct, type RecordChange, readChange } from '../../../lib/records/change.ts';
import { byKey, byOperator, byProduct } from '../../../lib/records/recordOrigin.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { webhookEventOf } from '../../../lib/webhooks/model/webhookEvent.ts';
import { aStreamedRecord, changeTo } from '../../support/data/streamedChanges.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
const validate = ajv.compile(outboxSchema());

const record = (name: string, more: object = {}) => ({ ...(exampleOf(name) as object), ...more }) as Stored;

const change = (
  name: string,
  type: RecordChange['type'],
  more: Partial<RecordChange & ForProduct> = {},
): RecordChange & ForProduct => ({
  account: 'acme',
  type,
  before: undefined,
  after: record(name, { version: 1 }),
  origin: byKey('key_2h6w8r1v3z5b7k9m4n0cqtxj'),
  clientEdits: {},
  sourceId: null,
  revision: null,
  ...more,
});

const contact = record('Contact', { version: 1 });
const messages = {
  'a new contact': outboxMessageOf(change('Contact', 'contact')),
  'a changed contact': outboxMessageOf(
    change('Contact', 'contact', {
      before: contact,
      after: record('Contact', { version: 2, note: 'b' }),
      clientEdits: { note: 2, 'address.city': 1, 'custom_fields.points': 1, custom_fields: 1 },
      sourceId: '42',
    }),
  ),
  'a deleted contact': outboxMessageOf(
    change('Contact', 'contact', {
      before: contact,
      after: record('Contact', { version: 2, external_id: null, email: null, tags: [], address: null }),
      origin: byOperator,
      deletion: { mergedInto: contact.id },
    }),
  ),
  'an order': outboxMessageOf(change('Order', 'order', { origin: byProduct })),
  'a record of the time before origins': outboxMessageOf(change('Order', 'order', { origin: null })),
  'a state that is sent again': presentMessageOf(
    { account: 'acme', type: 'contact' },
    { ...record('Contact', { version: 7 }), source_id: '42', revision: 3 },
  ),
};

test('the file in the tree is what the contract makes; "npm run schema" writes it', () => {
  expect(readFileSync(outboxSchemaFile, 'utf8')).toBe(schemaText(outboxSchema()));
});

test.each(Object.entries(messages))(
  'the message of %s is as the schema and the contract say',
  (_, message) => {
    const sent = JSON.parse(outboxEntryOf(message).MessageBody as string);
    expect(validate(sent), JSON.stringify(validate.errors)).toBe(true);
    expect(outboxMessage().parse(sent)).toEqual(sent);
  },
);

test('attributes tell the account, the type and the origin; SQS takes every text', () => {
  const { MessageAttributes, MessageGroupId } = outboxEntryOf(messages['a changed contact']);
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  expect(MessageAttributes).toEqual({
    account: text('acme'),
    type: text('contact.updated'),
    origin: text('api'),
  });
  expect(MessageGroupId).toBe('acme');
  expect(outboxEntryOf(messages['a record of the time before origins']).MessageAttributes).not.toHaveProperty(
    'origin',
  );
  const odd = outboxMessageOf(
    change('Contact', 'contact', { after: record('Contact', { note: 'a\ufffe\uffff' }) }),
  );
  const { MessageBody = '' } = outboxEntryOf(odd);
  expect(MessageBody).not.toMatch(/[\ufffe\uffff]/);
  expect(JSON.parse(MessageBody).data.note).toBe('a\ufffe\uffff');
});

test('what changed is named, without the values before', () => {
  const { changed_fields, data } = messages['a changed contact'];
  expect(changed_fields).toEqual(['note']);
  expect(data).toMatchObject({ note: 'b', version: 2 });
  expect(JSON.stringify(messages['a deleted contact'])).not.toContain(
    String((contact as { email?: string }).email),
  );
});

test('only the outbox tells what is for the product; neither a webhook nor the feed of changes', () => {
  const stored = {
    client_edits: { note: 2 },
    client_edit_times: { 2: 'edited then' },
    source_id: 'ours once',
  };
  const read = readChange(changeTo(aStreamedRecord('acme'), 2, stored)) as RecordChange & ForProduct;
  expect(outboxMessageOf(read)).toMatchObject({
    client_edits: { note: 2 },
    resource: { source_id: 'ours once' },
  });
  const { client_edits: _, resource, ...others } = outboxMessageOf(read);
  expect(Object.keys(resource)).toEqual(['type', 'id', 'source_id', 'revision', 'external_id', 'version']);
  for (const told of [others, webhookEventOf(read).body, entryOf(read)])
    expect(JSON.stringify(told)).not.toMatch(/client_edit|"source_id|ours once|edited then/);
});
