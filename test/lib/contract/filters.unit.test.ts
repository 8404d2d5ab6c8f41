import { describe, expect, test } from 'vitest';
import { listContacts } from '../../../lib/resources/contacts.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { listOrders } from '../../../lib/resources/orders.ts';
import { hintOf, problemsOf, shown } from '../../../lib/values/problemMessages.ts';
import { timeRule } from '../../../lib/values/times/times.ts';

const [ada, bob] = ['con_9x7aej2svz025b0x7prpcchs', 'con_0x7aej2svz025b0x7prpcchs'] as const;

type Sent = Record<string, string | string[]>;

const page = { limit: 25, offset: 0, sort: 'created_at' };

const problems = (operation: Operation, sent: Sent) => problemsOf(operation.query?.().safeParse(sent).error);

describe('a query of a list is read as', () => {
  test.each<[Operation, Sent, object]>([
    [listContacts, {}, {}],
    [listContacts, { sort: '-created_at' }, { sort: '-created_at' }],
    [listContacts, { external_id: ' crm-1001 ' }, { external_id: 'crm-1001' }],
    [listContacts, { email: ' Zoe\u0308@Example.com ' }, { email: 'Zo\u00eb@Example.com' }],
    [listContacts, { phone: '+4930123456' }, { phone: '+4930123456' }],
    [listContacts, { tag: ['vip'] }, { tag: ['vip'] }],
    [listContacts, { tag: ['vip', 'a,b', 'e\u0301', ' vip '] }, { tag: ['a,b', 'vip', '\u00e9'] }],
    [listContacts, { tag: Array(10).fill('vip') }, { tag: ['vip'] }],
    [listOrders, { status: 'pending' }, { status: ['pending'] }],
    [listOrders, { payment_status: 'unpaid,paid,unpaid' }, { payment_status: ['paid', 'unpaid'] }],
    [listOrders, { status: 'Pending, CONFIRMED,,' }, { status: ['confirmed', 'pending'] }],
    [
      listOrders,
      { status: ['pending', 'confirmed,completed'] },
      { status: ['completed', 'confirmed', 'pending'] },
    ],
    [listContacts, { id: `${ada},${bob}` }, { id: [ada, bob] }],
    [listContacts, { id: [ada, `${bob}, ${ada}`] }, { id: [ada, bob] }],
    [listContacts, { id: ` ${ada} ;${bob}|\u200b,\n` }, { id: [ada, bob] }],
    [listContacts, { id: `${ada} ${bob}` }, { id: [ada, bob] }],
    [listContacts, { id: Array(100).fill(ada).join(', ') }, { id: [ada] }],
    // + in a query is a space.
    [listOrders, { status: 'confirmed completed' }, { status: ['completed', 'confirmed'] }],
    [
      listOrders,
      { payment_status: 'Partially paid paid; not-required|unpaid' },
      { payment_status: ['not_required', 'paid', 'partially_paid', 'unpaid'] },
    ],
    [listOrders, { status: '\u200bconfirmed,\ufeff' }, { status: ['confirmed'] }],
    [listOrders, { sort: ' -Created_At' }, { sort: '-created_at' }],
    [
      listOrders,
      { fulfillment_status: 'a_word_of_tomorrow' },
      { fulfillment_status: ['a_word_of_tomorrow'] },
    ],
    [listOrders, { status: Array(20).fill('x'.repeat(40)).join() }, { status: ['x'.repeat(40)] }],
    [
      listOrders,
      { placed_since: '2026-03-01T10:30:00.1234567+01:00' },
      { placed_since: '2026-03-01T09:30:00.124Z' },
    ],
    [
      listOrders,
      { placed_before: '2026-02-28T23:59:59.9991Z' },
      { placed_before: '2026-03-01T00:00:00.000Z' },
    ],
    [
      listOrders,
      { placed_before: '2026-03-01T09:30:00.123000Z' },
      { placed_before: '2026-03-01T09:30:00.123Z' },
    ],
    [
      listOrders,
      { placed_before: '9999-12-31T23:59:59.9999999Z' },
      { placed_before: '9999-12-31T23:59:59.999Z' },
    ],
    [listOrders, { placed_since: '2016-12-31T23:59:60.0001Z' }, { placed_since: '2016-12-31T23:59:59.999Z' }],
    [listOrders, { placed_before: '2026-03-01T09:30:00Z' }, { placed_before: '2026-03-01T09:30:00.000Z' }],
    [listOrders, { number: ' A-1 ' }, { number: 'A-1' }],
    [listOrders, { status: 'pending,confirmed' }, { status: ['confirmed', 'pending'] }],
    [listOrders, { placed_before: '20260301T093000.1231Z' }, { placed_before: '2026-03-01T09:30:00.124Z' }],
  ])('%#: %j', (operation, sent, expected) => {
    expect(operation.query?.().parse(sent)).toEqual({ ...page, ...expected });
  });

  test('a beginning after the end, which is an empty list and no error', () => {
    const sent = { created_since: '2026-03-02T00:00:00Z', created_before: '2026-03-01T00:00:00Z' };
    expect(problems(listOrders, sent)).toEqual([]);
  });
});

describe('a query of a list is refused with the rule:', () => {
  const words =
    'must be 1 to 20 words of a-z and _, at most 40 characters each, separated by commas (known: pending, confirmed, completed, cancelled)';

  test.each<[Operation, string, (string | string[])[], string]>([
    [
      listContacts,
      'sort',
      ['', 'created_at,-created_at', 'updated_at', '+created_at'],
      'must be one of created_at, -created_at',
    ],
    [
      listContacts,
      'after',
      ['', 'con_', 'ord_4kq2v8m6t1z9c3x7b5n0hjwr'],
      'must be an id of the form con_ and 24 characters',
    ],
    [
      listOrders,
      'after',
      ['con_9x7aej2svz025b0x7prpcchs'],
      'must be an id of the form ord_ and 24 characters',
    ],
    [
      listContacts,
      'id',
      ['', ', ;', 'con_', 'ord_9x7aej2svz025b0x7prpcchs', ada.toUpperCase(), Array(101).fill(ada).join()],
      'must be 1 to 100 ids of the form con_ and 24 characters, separated by commas',
    ],
    [listContacts, 'tag', [[], Array(11).fill('vip')], 'must be given 1 to 10 times'],
    [
      listOrders,
      'status',
      ['', ',', 'x'.repeat(41), Array(21).fill('pending').join(), 'pending tomorrow', 'pénding'],
      words,
    ],
    [
      listOrders,
      'placed_since',
      [
        '',
        '2026-03',
        '2026-03-01T09:30:00',
        '2026-03-01T09:30:00 01:00',
        '1772357400',
        `2026-03-01T09:30:00.${'1'.repeat(60)}Z`,
      ],
      timeRule,
    ],
  ])('%#: %s', (operation, name, values, rule) => {
    for (const value of values)
      expect(problems(operation, { [name]: value }), `${value}`).toEqual([`${name} ${rule}`]);
  });

  test('a tag of another form, by its place', () => {
    expect(problems(listContacts, { tag: ['vip', '', 'x'.repeat(51)] })).toEqual([
      expect.stringMatching(/^tag\[1\] must be a string of 1 to 50 characters/),
      expect.stringMatching(/^tag\[2\] must be a string of 1 to 50 characters/),
    ]);
  });
});

test.each([
  [`${ada},con_x,y`, ' ("con_x" is not one)'],
  [`${ada},ord_9x7aej2svz025b0x7prpcchs`, ' ("ord_9x7aej2svz025b0x7prpcchs" is not one)'],
  [`${ada},\u202e${'x'.repeat(99)}`, / \("x{64}…" is not one\)$/],
  [`${ada},\u0007x`, ' ("\\u0007x" is not one)'],
  [Array(101).fill(ada).join(), /commas$/],
  [',', /commas$/],
])('the first that is no id is named: %#', (id, end) => {
  const error = listContacts.query().safeParse({ id }).error;
  const [problem] = problemsOf(error, shown, hintOf) as [string];
  if (typeof end === 'string') expect(problem.endsWith(end), problem).toBe(true);
  else expect(problem).toMatch(end);
});
