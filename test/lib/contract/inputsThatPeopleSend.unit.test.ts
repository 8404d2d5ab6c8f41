import { expect, test } from 'vitest';
import type * as z from 'zod';
import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { contactDraft } from '../../../lib/resources/contacts/fields.ts';
import { contactInBatch, contactStatement } from '../../../lib/resources/contacts/upserts.ts';
import { anOrder } from '../../support/data/given.ts';
import { type Inputs, inputs } from '../../support/input/inputsThatPeopleSend.ts';

const readers: [name: string, schema: z.ZodType, of: string][] = [
  ['POST /contacts', contactDraft(), 'contacts'],
  ['PUT /contacts', contactStatement(), 'contacts'],
  ['POST /contacts/batch', contactInBatch(), 'contacts'],
  ...Object.keys(inputs).map((resource): [string, z.ZodType, string] => [
    `${resource} in the inbox and the import`,
    statements[resource as StatedResource](),
    resource,
  ]),
];

test.each(
  readers.flatMap(([name, schema, of]) => {
    const { rows, base } = inputs[of] as Inputs;
    return rows.map(
      ([source, sent, stored]) => [name, source, { schema, sent: { ...base(), ...sent }, stored }] as const,
    );
  }),
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
