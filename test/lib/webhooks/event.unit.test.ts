import { expect, test } from 'vitest';
import { eventTypes } from '../../../lib/contract/eventTypes.ts';
import { webhookEventOf } from '../../../lib/webhooks/model/event.ts';
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
    const event = webhookEventOf(change(resource, before, after));
    expect(event.type).toBe(type);
    expect(eventTypes).toContain(type);
    expect(JSON.parse(event.body)).toMatchObject({ type, id: event.id });
  },
);
