import type { Contact } from '../contacts.ts';
import type { EventRegistration } from '../eventRegistrations.ts';
import type { EventType } from '../eventTypes.ts';
import type { Order } from '../orders.ts';
import type { SubscriptionInEvents } from '../webhookEvents.ts';
import type { Notes } from './notes.ts';

interface Event {
  id: string;
  type: string;
  timestamp: string;
  api_version: string;
  resource: object;
  changed_fields: string[];
  previous: object;
  data: object;
}

/** @param type the type of the event in the example. @param changed the changed fields in the example */
export const eventNotes = (thing: string, type: string, changed: string[]): Notes<Event> => ({
  id: [
    'The id of the event, the same in every attempt. The header webhook-id has the same id.',
    'evt_qz0t2pamgs0ca30pmkfk3h9f',
  ],
  type: ['What happened. One change is one event, of the most specific type.', type],
  timestamp: ['The time of the change.', '2026-03-02T08:00:00.000Z'],
  api_version: ['The version of this API that defines the form of the event.', 'v1'],
  resource: [`The ${thing} that changed, and its version.`],
  changed_fields: ['The names of the changed fields. Empty for a creation.', changed],
  previous: ['The previous values of the changed fields. Empty with the payload thin.'],
  data: [`The whole ${thing} after the change. With the payload thin, only its id.`],
});

export const eventResourceNotes = (thing: string, type: string, id: string) =>
  ({
    type: ['The type of the resource.', type],
    id: [`The id of the ${thing}.`, id],
    version: [
      'The version after the change. Use an event only if this version is higher than the version that you have.',
      2,
    ],
  }) as const;

type Change<Fields> = { before: Partial<Fields>; after: Partial<Fields> };

interface EventNote<Type extends EventType> {
  what: string;
  /** The change in the example. A creation has none. */
  change?: Change<
    Type extends `contact.${string}`
      ? Contact
      : Type extends `order.${string}`
        ? Order
        : Type extends `subscription.${string}`
          ? SubscriptionInEvents
          : EventRegistration
  >;
}

const cancelledAt = '2026-03-02T08:00:00.000Z';

const active = { status: 'active' } as const;
const suspended = { status: 'suspended' } as const;

/** What happened, and the changed fields of an example. */
export const eventTypeNotes: { [Type in EventType]: EventNote<Type> } = {
  'contact.created': { what: 'A contact was created' },
  'contact.updated': {
    what: 'A contact was changed',
    change: { before: { first_name: null }, after: { first_name: 'Ada' } },
  },
  'order.created': { what: 'An order was stored for the first time, in any state' },
  'order.updated': {
    what: 'An order was changed in a way that has no type of its own',
    change: { before: { fulfillment_status: 'unfulfilled' }, after: { fulfillment_status: 'fulfilled' } },
  },
  'order.paid': {
    what: 'The payment_status of an order became paid',
    change: {
      before: { payment_status: 'unpaid', paid_amount: 0, paid_at: null },
      after: { payment_status: 'paid', paid_amount: 4490, paid_at: '2026-03-02T08:00:00.000Z' },
    },
  },
  'order.cancelled': {
    what: 'The status of an order became cancelled',
    change: {
      before: { status: 'confirmed', cancelled_at: null },
      after: { status: 'cancelled', cancelled_at: cancelledAt },
    },
  },
  'order.refunded': {
    what: 'The payment_status of an order became refunded or partially_refunded',
    change: {
      before: { payment_status: 'paid', refunded_amount: 0 },
      after: { payment_status: 'refunded', refunded_amount: 4490 },
    },
  },
  'event_registration.created': { what: 'A registration was stored for the first time, in any state' },
  'event_registration.updated': {
    what: 'A registration was changed in a way that has no type of its own',
    change: { before: { status: 'waitlisted' }, after: { status: 'confirmed' } },
  },
  'event_registration.checked_in': {
    what: 'The attendance of a registration became checked_in',
    change: {
      before: { attendance: 'unknown', checked_in_at: null },
      after: { attendance: 'checked_in', checked_in_at: '2026-06-01T17:52:10.000Z' },
    },
  },
  'event_registration.cancelled': {
    what: 'The status of a registration became cancelled',
    change: {
      before: { status: 'confirmed', cancelled_at: null },
      after: { status: 'cancelled', cancelled_at: cancelledAt },
    },
  },
  'subscription.suspended': {
    what: 'A webhook subscription was suspended, because its receiver had no success for five days. It is sent to the other subscriptions of the account',
    change: { before: active, after: suspended },
  },
  'subscription.resumed': {
    what: 'A suspended webhook subscription became active again: its receiver accepted an event, or somebody set its status. It is sent to the other subscriptions of the account',
    change: { before: suspended, after: active },
  },
};

export const testEventWhat = 'A test was requested with testWebhookSubscription';
