import { Argument } from 'commander';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { ofResource } from '../../../infra/ops/ofResource.ts';
import { type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import { readMessage } from '../../../lib/inbox/message.ts';
import { patched } from '../../../lib/resources/contactPatch.ts';
import {
  type Contact,
  contactBatch,
  contactDraft,
  contactInBatch,
  contactPatch,
  contactStatement,
  contacts,
} from '../../../lib/resources/contacts.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { type RefusedEntry, SpoiltEntry } from '../../../lib/values/batch.ts';
import { hintOf, problemsOf, shown } from '../../../lib/values/problemMessages.ts';
import { aContact, anOrder } from '../../support/data/given.ts';
import {
  type Inputs,
  inputs,
  resourceNames,
  statusFilters,
} from '../../support/input/inputsThatPeopleSend.ts';

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

test.each(resourceNames)('the resource %j in the inbox and in a command is %s', (sent, path) => {
  const record = inputs[path ?? 'contacts']?.base();
  const read = readMessage(JSON.stringify({ account: 'acme', resource: sent, record }));
  if (path === undefined)
    expect(read).toEqual({ problem: expect.stringMatching(/^resource must be one of /) });
  else expect(read).toMatchObject({ account: 'acme', resource: path });
  const { parseArg } = ofResource(new Argument('<resource>'));
  const argument = () => parseArg?.(sent, undefined as never);
  if (path === undefined) expect(argument).toThrow('Allowed choices are');
  else expect(argument()).toBe(path);
});

test.each(statusFilters)('the status %j in a query asks for %j', (status, words) => {
  const { data, error } = listOrders.query().safeParse({ status });
  expect(data?.status).toEqual(words);
  if (words === undefined)
    expect(problemsOf(error)).toEqual([
      expect.stringMatching(/^status must be 1 to 20 words .* \(known: pending, confirmed, /),
    ]);
});

describe('a refusal says what is wrong', () => {
  const inInbox = (record: string, resource = 'orders'): string => {
    const read = readMessage(`{"account":"acme","resource":"${resource}","record":${record}}`);
    return 'problem' in read ? read.problem : 'stored';
  };
  const problems = (schema: z.ZodType, sent: unknown) =>
    problemsOf(schema.safeParse(sent).error, shown, hintOf);

  test('of a sum, what it is', () => {
    expect(problems(statements.orders(), anOrder({ subtotal_amount: 1997, total_amount: 1995 }))).toEqual([
      expect.stringMatching(
        /^total_amount must be subtotal_amount - .* \(it is 1995, and the sum is 1997\)$/,
      ),
    ]);
  });

  test('of a custom field, its rule', () => {
    for (const schema of [statements.orders(), statements.contacts()])
      expect(problems(schema, { custom_fields: { a: [1] } })).toContainEqual(
        expect.stringMatching(/^custom_fields\.a must be a string of at most 500 characters/),
      );
  });

  test('of a number that is too large, what its field takes, and nothing else', () => {
    expect(inInbox('{"external_id":9007199254740993}', 'contacts')).toBe(
      'record.external_id must be an id of 1 to 255 visible characters, between which spaces may be, and such a number must be sent as text',
    );
    expect(inInbox('{"external_id":"1","custom_fields":{"a":9007199254740993}}', 'contacts')).toMatch(
      /^record\.custom_fields\.a must be a string of [^;]*$/,
    );
    expect(inInbox('{"external_id":"1","custom_fields":{"a":1.00000000000000001}}', 'contacts')).toMatch(
      /^record\.custom_fields\.a must be a number that a double [^;]*$/,
    );
  });

  test('of an entry of a batch, that it is of the entry', () => {
    const [list, spoilt] = contactBatch().parse({
      contacts: [[], new SpoiltEntry({ external_id: 'a' }, ['has "a" more than once in one object'])],
    }).contacts as RefusedEntry[];
    expect(list?.problems).toEqual(['The entry must be a JSON object']);
    expect(spoilt?.problems).toEqual(['The entry has "a" more than once in one object']);
  });

  test.each([
    ['email', 'ada@localhost', '(it has no dot behind its @)'],
    ['email', 'ada@example,com', '(it has a comma, a semicolon or a space)'],
    ['email', 'null', '(it has no @)'],
    ['email', 'a@b.co@c.co', '(it has more than one @)'],
  ])('of %s %s, %s', (field, sent, said) => {
    expect(problems(contactDraft(), aContact({ [field]: sent }))).toEqual([expect.stringContaining(said)]);
  });

  test('of a day, that there is none', () => {
    for (const placed_at of ['2026-02-29', 'Mon, 01 Mar 2026 09:30:00 GMT'])
      expect(problems(statements.orders(), anOrder({ placed_at }))).toEqual([
        expect.stringContaining('its day is not in the calendar'),
      ]);
  });

  test('of a line of a street in the inbox, which one', () => {
    const order = JSON.stringify(anOrder({ billing_address: { line1: 'x'.repeat(300) } }));
    expect(inInbox(order)).toMatch(
      /^record\.billing_address\.line1 must be a string of 1 to 200 characters, or lines/,
    );
  });

  test('of a street, how long its lines may be', () => {
    const rule =
      'address.line1 must be a string of 1 to 200 characters, or lines that fit into line1 and line2 with so many each';
    const ofContact = (line1: unknown) => problems(contactDraft(), aContact({ address: { line1 } }));
    for (const length of [201, 402, 10_000])
      expect(ofContact('x'.repeat(length))).toEqual([expect.stringContaining(rule)]);
    expect(ofContact('a\u0007b')).toEqual([`${rule} (it has a control character)`]);
    expect(ofContact(5)).toEqual([rule]);
    expect(problems(statements.orders(), anOrder({ billing_address: { line1: 'x'.repeat(402) } }))).toEqual([
      `billing_${rule}`,
    ]);
    const contact = { ...contacts.blank, email: 'a@example.com' } as Contact;
    const patch = contactPatch().parse({ address: { line1: 'x'.repeat(201) } });
    expect(() => patched(contact, patch)).toThrow(rule);
  });
});

test('a patch of a street in one text replaces both of its lines, and may be repeated', () => {
  const before = { ...contacts.blank, email: 'a@example.com' } as Contact;
  const patchedBy = (line1: string, contact: Contact): Contact => ({
    ...contact,
    ...patched(contact, contactPatch().parse({ address: { line1 } })),
  });
  const old = patchedBy('Old Street 1\nFlat 2', before);
  expect(old.address).toMatchObject({ line1: 'Old Street 1', line2: 'Flat 2' });
  const moved = patchedBy('New Road 9\nSuite 5', old);
  expect(moved.address).toMatchObject({ line1: 'New Road 9', line2: 'Suite 5' });
  for (const street of ['New Road 9\nSuite 5', 'a\n'.repeat(150)]) {
    const once = patchedBy(street, moved);
    expect(patchedBy(street, once)).toEqual(once);
  }
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
