import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { inboxSchema, inboxSchemaFile, schemaText } from '../../../infra/ops/documents/messageSchemas.ts';
import { contacts, listContacts } from '../../../lib/resources/contacts.ts';
import { sentOf } from '../../../lib/resources/fieldSchemas.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { batchOf, type RefusedEntry, SpoiltEntry } from '../../../lib/schemas/batch.ts';
import { bodyBytesMax, depthMax, readObject, structureOf } from '../../../lib/schemas/json.ts';
import { problemsOf, sentence } from '../../../lib/schemas/problemMessages.ts';
import { object, tags, wordsOf } from '../../../lib/schemas/structure.ts';

const problems = (schema: z.ZodType, value: unknown): string[] => problemsOf(schema.safeParse(value).error);

test('the schema of the inbox in the tree is what the contract makes; "npm run schema" writes it', () => {
  expect(readFileSync(inboxSchemaFile, 'utf8')).toBe(schemaText(inboxSchema()));
});

const [ada, bob] = ['con_9x7aej2svz025b0x7prpcchs', 'con_0x7aej2svz025b0x7prpcchs'] as const;

describe('a query', () => {
  test.each<[Operation, object, object]>([
    [listContacts, {}, { limit: 25, offset: 0, sort: 'created_at' }],
    [listContacts, { sort: ' -Created_At' }, { sort: '-created_at' }],
    [listContacts, { tag: ['vip', 'a b', 'e\u0301', ' vip '] }, { tag: ['a b', 'vip', '\u00e9'] }],
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

  test.each([[['vip,customer']], [['vip', 'a,b']]])(
    'with the tags %j is refused: it would find nothing',
    (tag) => {
      expect(problems(listContacts.query(), { tag })).toEqual([
        expect.stringMatching(
          /^tag\[\d\] must be given once for each tag, as in tag=vip&tag=customer, and without a comma$/,
        ),
      ]);
    },
  );
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
    const batch = batchOf(sentOf(contacts, 'entry') as z.ZodType<{ external_id: string }>).parse([
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
});

const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('an object is read from a text', () => {
  test.each([
    ['', 'is not valid JSON: it ends too early'],
    ['{"a":1,}', 'is not valid JSON at line 1 column 8'],
    ['{\0"\0a\0', 'must be UTF-8, and not UTF-16 or UTF-32'],
    ['{"b":{"a":1,"\\u0061":2}}', 'has a more than once in one object'],
    [JSON.stringify({ a: 'ä'.repeat(bodyBytesMax / 2) }), 'must be at most 262144 bytes'],
  ])('but not from %.40s', (text, problem) => {
    expect(readObject(text)).toEqual({ problem });
  });

  test.each([
    ['1e-400', Number.POSITIVE_INFINITY],
    ['-1E-0400', Number.POSITIVE_INFINITY],
    [`0.${'0'.repeat(330)}1`, Number.POSITIVE_INFINITY],
    [`12.5e-${'9'.repeat(20)}`, Number.POSITIVE_INFINITY],
    ['9007199254740990.6', Number.POSITIVE_INFINITY],
    ['1.00000000000000001', Number.POSITIVE_INFINITY],
    [`1${'0'.repeat(150)}1`, Number.POSITIVE_INFINITY],
    ['0.10000000000000001', 0.1],
    ['0.1000000000000000055511151231257827021181583404541015625', 0.1],
    ['-12.340', -12.34],
    ['123456789012345.50', 123456789012345.5],
    ['0e-400', 0],
    ['0.0000000000', 0],
    ['1e-130', 1e-130],
    ['"1e-400"', '1e-400'],
    ['"\\"1e-400"', '"1e-400'],
  ])(
    'with the number %.12s as one that a field can refuse, when JSON.parse would change it',
    (json, read) => {
      expect(readObject(`{"a1e-400":${json},"b":1e-5}`)).toEqual({ value: { 'a1e-400': read, b: 1e-5 } });
    },
  );

  test('as long and as deep as it may be, and without a byte order mark', () => {
    for (const text of [
      JSON.stringify({ a: 'x'.repeat(bodyBytesMax - '{"a":""}'.length) }),
      nested(depthMax),
    ])
      expect(readObject(text)).toEqual({ value: JSON.parse(text) });
    expect(readObject('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
  });

  test.each(['"[[', '"[[\\', '"\\\n[[', '}"a":1,"a":2'])(
    'and %j, which is none, has no structure',
    (text) => {
      expect(structureOf(text)).toEqual({ depth: 0, repeated: [] });
    },
  );
});
