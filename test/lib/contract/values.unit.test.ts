import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { inboxSchema, schemaFile, schemaText } from '../../../infra/ops/documents/inboxSchema.ts';
import { inboxMessage, type StatedResource, statements } from '../../../lib/contract/inbox.ts';
import {
  contactDraft,
  contactInBatch,
  contactPatch,
  contactStatement,
  contacts,
  listContacts,
} from '../../../lib/resources/contacts.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { addressPatch, patchedAddress } from '../../../lib/values/addresses.ts';
import { batchOf, type RefusedEntry, SpoiltEntry } from '../../../lib/values/batch.ts';
import { bodyBytesMax, depthMax, readObject, structureOf } from '../../../lib/values/json.ts';
import { hintOf, problemsOf, sentence, shown } from '../../../lib/values/problemMessages.ts';
import { mergeCustomFields } from '../../../lib/values/shared.ts';
import { object, tags, wordsOf } from '../../../lib/values/structure.ts';
import { timeRule } from '../../../lib/values/times.ts';
import { aContact } from '../../support/data/given.ts';
import { cases } from '../../support/input/cases.ts';

const problems = (schema: z.ZodType, value: unknown): string[] => problemsOf(schema.safeParse(value).error);

/** All doors through which a record comes. test/infra/ops/import.test.ts and test/lib/inbox show that they use these schemas. */
const doors: [name: string, schema: z.ZodType, resource: string][] = [
  ['POST', contactDraft(), 'contacts'],
  ['PATCH', contactPatch(), 'contacts'],
  ['PUT', contactStatement(), 'contacts'],
  ['a batch', contactInBatch(), 'contacts'],
  ...Object.keys(cases).map((resource): [string, z.ZodType, string] => [
    'the inbox and an import',
    statements[resource as StatedResource](),
    resource,
  ]),
];

const rows = doors.flatMap(([door, schema, resource]) =>
  (cases[resource]?.cases ?? []).map(([what, sent, stored]) => ({
    door,
    schema,
    resource,
    what,
    sent,
    stored,
  })),
);

describe('what is sent is stored the same by every door, and sent again, it stays the same', () => {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: { 'idn-email': /@/, iri: true },
  });
  formats.default(ajv);
  const isInSchema = ajv.compile(inboxSchema());

  test.each(rows)('$resource by $door: $what', ({ door, schema, resource, sent, stored }) => {
    const base = (cases[resource]?.base() ?? {}) as object;
    const { data, error } = schema.safeParse({ ...base, ...sent });
    if (stored === undefined) {
      expect(data).toBeUndefined();
      for (const problem of problemsOf(error)) expect(problem).toMatch(/ must | is not | are /);
      return;
    }
    // A merge patch keeps what is to be removed.
    if (door === 'PATCH' && JSON.stringify(sent).includes('null')) return;
    expect(data).toMatchObject(stored);
    const again = {
      ...base,
      ...Object.fromEntries(Object.keys(sent).map((name) => [name, (data as never)[name]])),
    };
    expect(schema.parse(again)).toEqual(data);
    // What is stored is what an answer has, and fits the schema of requests.
    const message = { account: 'acme', resource, record: again };
    if (door.startsWith('the inbox'))
      expect(isInSchema(message), JSON.stringify(isInSchema.errors)).toBe(true);
  });

  test('the schema in the tree is what the contract makes; "npm run schema" writes it', () => {
    expect(readFileSync(schemaFile, 'utf8')).toBe(schemaText());
    for (const [resource, { base }] of Object.entries(cases)) {
      const message = (record: object) => ({ account: 'acme', resource, record });
      expect(isInSchema(message(base()))).toBe(true);
      expect(isInSchema(message({ ...base(), nope: 1 }))).toBe(false);
      expect(isInSchema(message({ ...base(), external_id: null }))).toBe(false);
      expect(inboxMessage().safeParse(message({ ...base(), external_id: null })).success).toBe(false);
    }
  });
});

test('a patch of an address keeps its other parts, and one without any part is null', () => {
  const berlin = patchedAddress(null, addressPatch().parse({ city: 'Berlin' }));
  expect(berlin).toMatchObject({ city: 'Berlin', country: null });
  expect(patchedAddress(berlin, addressPatch().parse({ country: 'de' }))).toMatchObject({
    city: 'Berlin',
    country: 'DE',
  });
  expect(patchedAddress(berlin, addressPatch().parse({ city: null }))).toBeNull();
  expect([patchedAddress(berlin, undefined), patchedAddress(berlin, null)]).toEqual([berlin, null]);
});

test('custom fields are merged name by name, and null removes one', () => {
  expect(mergeCustomFields({ a: 1, b: { c: 1 }, d: '' }, { b: { e: null }, d: null })).toEqual({
    a: 1,
    b: { e: null },
  });
});

test.each([
  ['email', ' ADA@münchen.Example', 'Ada@xn--mnchen-3ya.example'],
  ['phone', '+49 (0)30/123-456', '00490 30123456'],
  ['phone', '030 123456', '030123456'],
  ['phone', 'Ask me', 'Ask me'],
  ['company', 'ACME', 'acme'],
])('the filter %s finds %j by %j', (name, stored, sent) => {
  const { fold = (value: string) => value } = contacts.filters.values.find((one) => one.name === name) ?? {};
  const read = listContacts.query().parse({ [name]: sent }) as object as Record<string, string>;
  expect(fold(read[name] as string)).toBe(
    fold(contactDraft().parse(aContact({ [name]: stored }))[name as 'email'] ?? ''),
  );
});

const [ada, bob] = ['con_9x7aej2svz025b0x7prpcchs', 'con_0x7aej2svz025b0x7prpcchs'] as const;

describe('a query', () => {
  test.each<[Operation, object, object]>([
    [listContacts, {}, { limit: 25, offset: 0, sort: 'created_at' }],
    [listContacts, { sort: ' -Created_At' }, { sort: '-created_at' }],
    [listContacts, { tag: ['vip', 'a,b', 'e\u0301', ' vip '] }, { tag: ['a,b', 'vip', '\u00e9'] }],
    [listContacts, { id: [ada, `${bob}, ${ada}`] }, { id: [ada, bob] }],
    [listOrders, { status: ['Pending', 'confirmed,,pending'] }, { status: ['confirmed', 'pending'] }],
    [
      listOrders,
      { payment_status: 'Partially-Paid, not required' },
      { payment_status: ['not_required', 'partially_paid'] },
    ],
    [listOrders, { status: 'a_word_of_tomorrow' }, { status: ['a_word_of_tomorrow'] }],
    [
      listOrders,
      { placed_since: '2026-03-01', placed_before: '2026-03-01 10:30+01:00' },
      { placed_since: '2026-03-01T00:00:00.000Z', placed_before: '2026-03-01T09:30:00.000Z' },
    ],
    [
      listOrders,
      { number: ' A-1 ', email: 'ada@münchen.example' },
      { number: 'A-1', email: 'ada@münchen.example' },
    ],
  ])('%#: %j is read', (operation, sent, expected) => {
    expect(operation.query?.().parse(sent)).toMatchObject(expected);
  });

  const words =
    'must be 1 to 20 words of a-z and _, at most 40 characters each, separated by commas (known: pending, confirmed, completed, cancelled)';

  test.each<[Operation, string, (string | string[])[], string]>([
    [
      listContacts,
      'sort',
      ['', 'created_at,-created_at', '+created_at'],
      'must be one of created_at, -created_at',
    ],
    [
      listContacts,
      'after',
      ['', 'con_', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
      'must be an id of the form con_ and 24 characters',
    ],
    [
      listContacts,
      'id',
      ['', ', ;', 'con_', ada.toUpperCase(), Array(101).fill(ada).join()],
      'must be 1 to 100 ids of the form con_ and 24 characters, separated by commas',
    ],
    [listContacts, 'tag', [[], Array(11).fill('vip')], 'must be given 1 to 10 times'],
    [listOrders, 'status', ['', ',', 'x'.repeat(41), Array(21).fill('x').join(), 'pénding'], words],
    [
      listOrders,
      'placed_since',
      ['', 'yesterday', '2026-03-01T09:30:00 01:00', '1772357400'],
      `${timeRule}, or a date, which is that day at 00:00 UTC; in a URL, + is written %2B`,
    ],
  ])('%#: the parameter %s is refused with its rule', (operation, name, values, rule) => {
    for (const value of values)
      expect(problems(operation.query?.() as z.ZodType, { [name]: value })).toEqual([`${name} ${rule}`]);
  });

  test('names the first that is no id', () => {
    const { error } = listContacts.query().safeParse({ id: `${ada},\u202e${'x'.repeat(99)}` });
    expect(problemsOf(error, shown, hintOf)).toEqual([
      expect.stringMatching(/ \("\\u202ex{63}…" is not one\)$/),
    ]);
  });
});

describe('a list', () => {
  test('of tags is limited by the entries that are sent', () => {
    expect(problems(tags(), Array(51).fill(1))).toEqual(['must be a list of at most 50 strings']);
  });

  test('of known words is a set', () => {
    const some = wordsOf({ min: 1, max: 2 }, 'b', 'a', 'c');
    expect(some.parse([' B ', 'b'])).toEqual(['b']);
    for (const sent of [[], ['', null], ['b', 'a', 'b'], 'a'])
      expect(problems(some, sent)).toEqual(['must be a list of 1 to 2 entries']);
    expect(problems(some, ['d'])).toEqual(['[0] must be one of b, a, c']);
  });

  test('of a batch has refusals, each of its entry', () => {
    const batch = batchOf(contactInBatch()).parse([
      [],
      new SpoiltEntry({ external_id: 'a' }, ['has "a" more than once in one object']),
    ]) as RefusedEntry[];
    expect(batch.map((one) => one.problems)).toEqual([
      ['The entry must be a JSON object'],
      ['The entry has "a" more than once in one object'],
    ]);
  });
});

describe('a problem', () => {
  test.each([
    [[], 'must be'],
    [['a', 0, 'b'], 'a[0].b must be'],
    [['a b', 'c'], '"a b".c must be'],
    [['x'.repeat(65)], `"${'x'.repeat(64)}…" must be`],
    [
      ['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60), 'w'.repeat(18)],
      `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${'w'.repeat(17)}… must be`,
    ],
    [['a"\\é\u001b\u202e\u200b\ud800'], String.raw`"a\"\\é\u001b\u202e\u200b\ud800" must be`],
  ])('at %.60j names its field', (path, problem) => {
    expect(sentence(path, 'must be')).toBe(problem);
  });

  test('of an unknown field names it as the caller wants', () => {
    expect(problemsOf(object({}).safeParse({ a: 1 }).error, () => 'a field')).toEqual([
      'a field is not known here (allowed: )',
    ]);
  });

  test('of a body that is no object is one', () => {
    for (const value of [null, [], 'text', undefined])
      expect(problems(contactDraft(), value)).toEqual([expect.stringContaining('must be a JSON object')]);
  });
});

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('an object is read from a text', () => {
  test.each([
    ['', 'is not valid JSON: it ends too early'],
    ['{"a":1,}', 'is not valid JSON at line 1 column 8'],
    ['{\n"a": NaN}', 'is not valid JSON'],
    ['{\0"\0a\0', 'must be UTF-8, and not UTF-16 or UTF-32'],
    ['[]', 'must be a JSON object'],
    ['{"b":{"a":1,"\\u0061":2}}', 'has a more than once in one object'],
    [`${nested(depthMax + 1)} and more`, 'must not be nested deeper than 32 levels'],
    [JSON.stringify({ a: 'ä'.repeat(bodyBytesMax / 2) }), 'must be at most 262144 bytes'],
  ])('but not from %.40s', (text, problem) => {
    expect(readObject(text)).toEqual({ problem });
  });

  test('as long and as deep as it may be, and without a byte order mark', () => {
    for (const text of [
      JSON.stringify({ a: 'x'.repeat(bodyBytesMax - '{"a":""}'.length) }),
      nested(depthMax),
    ])
      expect(readObject(text)).toEqual({ value: JSON.parse(text) });
    expect(readObject('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
  });

  // Every field refuses a number that JSON.parse has changed, so nothing of it is stored.
  test.each(['9007199254740993', '-9007199254740993', '1e400', '-1e999', '1'.repeat(400)])(
    'and %.20s in it is taken by no field',
    (number) => {
      for (const [, schema, resource] of doors)
        for (const name of Object.keys(cases[resource]?.base() ?? {})) {
          const value = JSON.parse(`{"${name}":${number},"custom_fields":{"a":[${number}]}}`);
          const refused = schema
            .safeParse({ ...cases[resource]?.base(), ...value })
            .error?.issues.map(({ path }) => path[0]);
          expect(refused).toEqual(expect.arrayContaining([name, 'custom_fields']));
        }
    },
  );

  test.each(['"[[', '"[[\\', '"\\\n[[', '}"a":1,"a":2'])(
    'and %j, which is none, has no structure',
    (text) => {
      expect(structureOf(text)).toEqual({ depth: 0, repeated: [] });
    },
  );
});
