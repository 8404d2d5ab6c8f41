import { expect, test } from 'vitest';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import type { RecordChange } from '../../../lib/records/change.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { webhookEventOf } from '../../../lib/webhooks/model/webhookEvent.ts';

const record = (more: object): Stored =>
  ({ id: 'x_1', version: 2, updated_at: '2026-03-01T09:30:00.000Z', ...more }) as unknown as Stored;

/** A change that made a record with these fields. */
const change = (type: RecordChange['type'], before: object | undefined, after: object): RecordChange => ({
  account: 'acme',
  type,
  before: before && record({ version: 1, updated_at: '2026-03-01T09:00:00.000Z', ...before }),
  after: record(after),
  origin: { kind: 'product' },
});

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
    const event = webhookEventOf(change(resource, before, after));
    expect(event.type).toBe(type);
    expect(eventTypes).toContain(type);
    expect(JSON.parse(event.body)).toMatchObject({ type, id: event.id });
  },
);
