import { expect, test } from 'vitest';
import type * as z from 'zod';
import { statements } from '../../../lib/contract/inbox.ts';
import { contactDraft } from '../../../lib/resources/contacts/fields.ts';
import { contactInBatch, contactStatement } from '../../../lib/resources/contacts/upserts.ts';
import { aContact, anOrder, aRegistration } from '../../support/data/given.ts';
import { inputs, type Row } from '../../support/input/inputsThatPeopleSend.ts';

const { contacts, orders, 'event-registrations': registrations } = inputs;

const readers: [name: string, schema: z.ZodType, rows: Row[], base: () => object][] = [
  ['POST /contacts', contactDraft(), contacts, aContact],
  ['PUT /contacts', contactStatement(), contacts, aContact],
  ['POST /contacts/batch', contactInBatch(), contacts, aContact],
  ['contacts in the inbox and the import', statements.contacts(), contacts, aContact],
  ['orders in the inbox and the import', statements.orders(), orders, anOrder],
  [
    'registrations in the inbox and the import',
    statements['event-registrations'](),
    registrations,
    aRegistration,
  ],
];

test.each(
  readers.flatMap(([name, schema, rows, base]) =>
    rows.map(
      ([source, sent, stored]) => [name, source, { schema, sent: { ...base(), ...sent }, stored }] as const,
    ),
  ),
)('%s: %s', (_, __, { schema, sent, stored }) => {
  const { data } = schema.safeParse(sent);
  if (stored === undefined) expect(data).toBeUndefined();
  else expect(data).toMatchObject(stored);
});

test('an order has up to 500 lines', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...anOrder().line_items[0],
      id: String(i),
    }));
  expect(statements.orders().safeParse(anOrder({ line_items: lines(500) })).success).toBe(true);
  expect(statements.orders().safeParse(anOrder({ line_items: lines(501) })).success).toBe(false);
});
