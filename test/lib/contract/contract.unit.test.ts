import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readScopes } from '../../../lib/contract/eventTypes.ts';
import { operations } from '../../../lib/contract/index.ts';
import type { Layout } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { contactDraft } from '../../../lib/resources/contacts.ts';
import { documents } from '../../../lib/resources/documents.ts';
import { resources, resourceTypes, scopes } from '../../../lib/resources/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { orderDraft } from '../../../lib/resources/orders.ts';
import { schemas } from '../../../lib/resources/schemas.ts';
import { email, integer, locale, time, timezone, webAddress } from '../../../lib/values/fields.ts';
import { inputProblems } from '../../../lib/values/inputProblems.ts';
import { problemsOf, shown } from '../../../lib/values/problemMessages.ts';
import { customFields, customFieldsPatch, customFieldsRule } from '../../../lib/values/shared.ts';
import { multilineText, text } from '../../../lib/values/texts/texts.ts';
import { moment } from '../../../lib/values/times/parameter.ts';
import { isOfNoDay, noDayRule, timeRule } from '../../../lib/values/times/times.ts';
import { anOrder } from '../../support/data/given.ts';

describe('operations', () => {
  test('ids and routes are unique', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(routes).size).toBe(operations.length);
  });

  test('every scope opens an operation, and no scope is of two resources', () => {
    const needed = operations.flatMap(({ scope }) => scope ?? []);
    expect(new Set<string>(needed)).toEqual(new Set(scopes));
    expect(new Set(scopes).size).toBe(scopes.length);
  });

  test('the ids of operations are those of the facts, in their order', () => {
    for (const type of resourceTypes)
      expect(documents[type].operations.map(({ id }) => id)).toEqual(resources[type].operations);
  });

  test.each(operations.map((operation: Operation) => [operation.id, operation] as const))(
    '%s reads with a scope to read and writes with a scope to write',
    (_, { method, scope, path }) => {
      const area = path.split('/')[1];
      if (area === 'webhook-subscriptions') {
        expect(scope).toBe('webhooks:manage');
        return;
      }
      if (area === 'changes') {
        expect(scope).toEqual(Object.values(readScopes));
        return;
      }
      const own = resourceTypes.map((type) => resources[type]).find(({ path }) => path === area);
      expect(scope).toBe(own?.scopes[method === 'GET' ? 0 : 1] ?? null);
    },
  );
});

describe('layouts', () => {
  /** The layout that a schema stands for. */
  function layoutOf(schema: z.ZodType): Layout {
    if (schema instanceof z.ZodNullable) return layoutOf(schema.unwrap() as z.ZodType);
    if (schema instanceof z.ZodArray) {
      const inner = layoutOf(schema.element as z.ZodType);
      return inner === null ? null : [inner];
    }
    if (schema instanceof z.ZodObject)
      return Object.fromEntries(
        Object.entries(schema.shape).map(([name, field]) => [name, layoutOf(field as z.ZodType)]),
      );
    return schema instanceof z.ZodPipe ? 'by name' : null;
  }

  test.each(
    resourceTypes.map((type) => [type, collectionOf(type).layout as Layout, schemas[type].record()] as const),
  )('%s are stored with the fields of the contract, in its order', (_, layout, schema) => {
    expect(JSON.stringify(layout)).toBe(JSON.stringify(layoutOf(schema)));
  });
});

/** Why a value is refused: the sentences, or nothing. */
const problems = (schema: z.ZodType, value: unknown): string[] => problemsOf(schema.safeParse(value).error);

const anAt = z.object({ at: time() });
const refusal = (at: string) => inputProblems(anAt, anAt.safeParse({ at }).error?.issues)[0];

describe('fields', () => {
  test.each([
    'yesterday',
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-01T',
    '2026060',
    '2026-01/01',
    '26-01-01',
    '/Date(1)',
    '/Date(9999999999999999)/',
    '2026-W10',
    '2026-01-01  00:00:00Z',
    '2026-01-01T00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-30T00:00:00',
    '2026-01-01T24:00:01Z',
    '2026-01-01T24:00:00.001Z',
    '9999-12-31T24:00:00Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '2016-12-31T23:59:61Z',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T00:00:00+1',
    '2026-01-01T00:00:00+010',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('%s is no time, and the message says so once', (value) => {
    const rule = isOfNoDay(value) ? noDayRule : timeRule;
    expect(refusal(value)).toEqual({ sentence: `at ${rule}`, field: 'at', rule });
  });

  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01t09:30:00z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30:00Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01 09:30:00 +0000', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00+0000', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T10:30:00.25+01', '2026-03-01T09:30:00.250Z'],
    ['2026-03-01T05:00:00-0430', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00-00:00', '2026-03-01T09:30:00.000Z'],
    [' 2026-03-01T09:30:00Z\n', '2026-03-01T09:30:00.000Z'],
  ])('%s can only mean %s, in a body and in a query', (value, expected) => {
    expect(time().parse(value)).toBe(expected);
    expect(moment().parse(value)).toBe(expected);
  });

  test('a time comes out in UTC with milliseconds', () => {
    expect(time().parse('2026-03-01T10:30:00.5+01:00')).toBe('2026-03-01T09:30:00.500Z');
    expect(time().parse('0000-02-29T00:00:00Z')).toBe('0000-02-29T00:00:00.000Z');
  });

  test.each([-1, 0.5, 2 ** 53, 1e300, Number.POSITIVE_INFINITY, '1', null, true])(
    '%s is no integer from 0, and the message says so once',
    (value) => {
      expect(problems(integer({ min: 0 }), value)).toEqual(['must be an integer from 0 to 9007199254740991']);
    },
  );

  test('minus zero is zero', () => {
    expect(Object.is(integer({ min: 0 }).parse(-0), 0)).toBe(true);
  });

  test.each([
    ['a@b.de', true],
    ['first.last+tag@sub.example.com', true],
    [`${'l'.repeat(64)}@example.com`, true],
    [`${'l'.repeat(242)}@example.com`, true],
    [`${'l'.repeat(243)}@example.com`, false],
    ['.a@b.de', true],
    ['a.@b.de', true],
    ['a..b@docomo.ne.jp', true],
    ['..@b.de', false],
    ['"a b"@c.de', true],
    ['"a@b\\" c"@c.de', true],
    ['""@c.de', true],
    ['"a"b@c.de', false],
    ['"a@c.de', false],
    ['"a\tb"@c.de', false],
    ['a@[192.0.2.1]', true],
    ['a@[IPv6:2001:db8::1]', true],
    ['a@[256.0.2.1]', false],
    ['a@[]', false],
    ['a@host_1.example.com', true],
    ['a@b', false],
    ['Ada <a@b.de>', false],
    ['a@b.de, c@d.de', false],
    ['a@b..de', false],
    ['a@b.de..', false],
    [`"${'\\a'.repeat(120)}@`, false],
    ['a@.de', false],
    ['a@b.de@c.de', false],
    ['a b@c.de', false],
    [`${'a.'.repeat(50_000)}@`, false],
  ])('%s as an e-mail address: %s', (value, valid) => {
    expect(email().safeParse(value).success).toBe(valid);
  });
});

test.each([
  [email(), 'x'.repeat(300)],
  [email(), '\ud800@b.de'],
  [locale(), 'x'.repeat(36)],
  [timezone(), 'X'.repeat(65)],
  [webAddress(), `x${'x'.repeat(2048)}`],
  [text(5), '\ufffd'],
  [multilineText(5), 'a\ufffd'],
])('a value that breaks a rule in two ways is one problem', (schema, value) => {
  expect(problems(schema, value)).toHaveLength(1);
});

describe('custom fields', () => {
  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));

  test('the limit counts those that stay', () => {
    expect(problems(customFieldsPatch(), { ...many(60, null), kept: 1 })).toEqual([]);
    expect(problems(customFieldsPatch(), many(51, 1))).toEqual([customFieldsRule]);
    expect(problems(customFieldsPatch(), many(500, null))).toEqual([]);
    expect(problems(customFieldsPatch(), many(501, null))).toEqual([customFieldsRule]);
  });

  test.each([1e-131, 2 ** 53, -(2 ** 53), null, [], {}])(
    '%s is no value, and the message says what is allowed',
    (value) => {
      expect(problems(customFields(), { a: value })).toEqual([
        'a must be a string of at most 500 characters, a number that a double (IEEE 754) keeps, within ±9007199254740991, that is 0 or at least 1e-130 away from it, or true or false',
      ]);
    },
  );
});

test.each([null, [], 'text', undefined])('%j is no contact, and the message says so once', (value) => {
  expect(problems(contactDraft(), value)).toEqual([expect.stringContaining('must be a JSON object')]);
});

test('names of a client are quoted when they could be mistaken for other text', () => {
  expect(['limit', 'a b', '', 'a"b', 'x'.repeat(65)].map(shown)).toEqual([
    'limit',
    '"a b"',
    '""',
    '"a\\"b"',
    `"${'x'.repeat(64)}…"`,
  ]);
});

describe('order amounts', () => {
  const total = (more: object) => orderDraft().safeParse(anOrder({ subtotal_amount: 1000, ...more })).success;

  test.each([
    ['nothing else', { total_amount: 1000 }, true],
    ['a discount', { discount_amount: 100, total_amount: 900 }, true],
    ['shipping and a fee', { shipping_amount: 50, fee_amount: 5, total_amount: 1055 }, true],
    ['tax on top', { tax_amount: 190, total_amount: 1190 }, true],
    ['tax inside', { tax_amount: 160, tax_included: true, total_amount: 1000 }, true],
    ['a sum that is wrong', { total_amount: 999 }, false],
    ['tax counted twice', { tax_amount: 160, tax_included: true, total_amount: 1160 }, false],
  ])('%s', (_, more, right) => {
    expect(total(more)).toBe(right);
  });
});
