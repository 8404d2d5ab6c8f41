import { expect, test } from 'vitest';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { bodyFor, eventOf } from '../../../lib/webhooks/model/event.ts';
import { change } from '../../support/data/recordChange.ts';

const unpaid = { status: 'confirmed', payment_status: 'unpaid', note: null };

test.each([
  ['contact.created', 'contact', undefined, { note: 'a' }],
  ['contact.updated', 'contact', { note: 'a' }, { note: 'b' }],
  ['order.created', 'order', undefined, { ...unpaid, payment_status: 'paid' }],
  ['order.created', 'order', undefined, { ...unpaid, status: 'cancelled' }],
  ['order.updated', 'order', unpaid, { ...unpaid, note: 'a' }],
  ['order.updated', 'order', unpaid, { ...unpaid, status: 'completed' }],
  ['order.paid', 'order', unpaid, { ...unpaid, payment_status: 'paid', note: 'a' }],
  [
    'order.updated',
    'order',
    { ...unpaid, payment_status: 'paid' },
    { ...unpaid, payment_status: 'paid', note: 'a' },
  ],
  [
    'order.refunded',
    'order',
    { ...unpaid, payment_status: 'paid' },
    { ...unpaid, payment_status: 'refunded' },
  ],
  [
    'order.refunded',
    'order',
    { ...unpaid, payment_status: 'paid' },
    { ...unpaid, payment_status: 'partially_refunded' },
  ],
  [
    'order.refunded',
    'order',
    { ...unpaid, payment_status: 'partially_refunded', refunded_amount: 500 },
    { ...unpaid, payment_status: 'partially_refunded', refunded_amount: 1200 },
  ],
  ['order.updated', 'order', { ...unpaid, refunded_amount: 500 }, { ...unpaid, refunded_amount: 0 }],
  [
    'order.cancelled',
    'order',
    { ...unpaid, payment_status: 'paid' },
    { ...unpaid, status: 'cancelled', payment_status: 'refunded' },
  ],
  [
    'order.refunded',
    'order',
    { ...unpaid, status: 'cancelled', payment_status: 'paid' },
    { ...unpaid, status: 'cancelled', payment_status: 'refunded' },
  ],
] as const)(
  'one change is one event, of the most specific type: %s of %s',
  (type, resource, before, after) => {
    const event = eventOf(change(resource, before, after));
    expect(event.type).toBe(type);
    expect(eventTypes).toContain(type);
    expect(JSON.parse(event.body)).toMatchObject({ type, id: event.id });
  },
);

test('an event says what changed and what was there before, and a thin one only the names', () => {
  const { body } = eventOf(change('order', unpaid, { ...unpaid, payment_status: 'paid' }));
  const common = {
    type: 'order.paid',
    timestamp: '2026-03-01T09:30:00.000Z',
    api_version: 'v1',
    resource: { type: 'order', id: 'x_1', version: 2 },
    origin: { kind: 'product' },
    changed_fields: ['payment_status'],
  };
  expect(JSON.parse(body)).toMatchObject({
    ...common,
    previous: { payment_status: 'unpaid' },
    data: { ...unpaid, payment_status: 'paid' },
  });
  expect(JSON.parse(bodyFor('thin', body))).toEqual({
    ...common,
    id: expect.any(String),
    previous: {},
    data: { id: 'x_1' },
  });
});

test('the same version of the same record is the same event, and any other version is another event', () => {
  const id = (account: string, more: object) => eventOf({ ...change('contact', {}, more), account }).id;
  expect(id('acme', {})).toBe(id('acme', { note: 'in other words' }));
  const ids = [id('acme', {}), id('other', {}), id('acme', { version: 3 }), id('acme', { id: 'x_2' })];
  expect(new Set(ids).size).toBe(ids.length);
  for (const one of ids) expect(one).toMatch(/^evt_[0-9a-z]{24}$/);
});
