import type { AnyOperation, OperationOf, QueryOperationId } from '../index.ts';
import type { Params, Query } from '../operation.ts';
import type { PageQuery } from '../values/lists.ts';
import { bodyExamples } from './bodies.ts';
import { contactNotes } from './contacts.ts';
import { eventNotes, eventRegistrationNotes } from './eventRegistrations.ts';
import { pollRule } from './lists.ts';
import type { Note, Notes } from './notes.ts';
import { orderNotes } from './orders.ts';
import { deliveryNotes, redeliveryNotes, subscriptionNotes } from './webhooks.ts';

export type PathParameter = keyof Params<AnyOperation>;

/** A parameter of paths: the resource that it names, by which field, and an example. */
export interface PathParameterNote {
  thing: string;
  by: 'id' | 'external id';
  example: string;
}

export const pathParameterNotes: Record<PathParameter, PathParameterNote> = {
  contactId: { thing: 'contact', by: 'id', example: contactNotes.id[1] },
  externalId: { thing: 'contact', by: 'external id', example: bodyExamples.createContact.external_id },
  orderId: { thing: 'order', by: 'id', example: orderNotes.id[1] },
  registrationId: { thing: 'event registration', by: 'id', example: eventRegistrationNotes.id[1] },
  subscriptionId: { thing: 'webhook subscription', by: 'id', example: subscriptionNotes.id[1] },
  deliveryId: { thing: 'webhook delivery', by: 'id', example: deliveryNotes.id[1] },
  redeliveryId: { thing: 'redelivery', by: 'id', example: redeliveryNotes.id[1] },
};

const page: Notes<PageQuery> = {
  limit: ['The most records that the page may hold. A limit over 100 is 400, and is not reduced.', 25],
  offset: ['How many records to skip. Any offset costs the same.', 0],
};

const plus = 'In a URL, `+` is written `%2B`.';
const anyOf =
  'One or more words: records with any of them. They are separated by commas, or the parameter is given several times.';
const aDate = 'A date is that day at 00:00 UTC.';
const sinceNote = (what: string) => `Only records ${what} at this time or later. ${aDate} ${plus}`;
const beforeNote = (what: string) => `Only records ${what} before this time. ${aDate} ${plus}`;
const [start, end] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'];

const ofContact: Note<string> = ['Only records of the contact with this id.', contactNotes.id[1]];
const externalId: Note<string> = [
  `The record with this \`external_id\`. It follows a change at once. ${plus}`,
  'crm-1001',
];

/** The parameters of every list of records. @param example an id of such a record */
const recordList = (example: string) =>
  ({
    ...page,
    sort: ['The order: `created_at` is oldest first, `-created_at` is newest first.', 'created_at'],
    after: [
      'Only records that come behind the record with this id in the order of the list. `offset` counts from there.',
      example,
    ],
    created_since: [sinceNote('created here'), start],
    created_before: [beforeNote('created here'), end],
    updated_since: [`${sinceNote('created or changed here')} ${pollRule}`, start],
  }) as const;

/** The parameters of queries, by the operation. */
export const queryNotes: { readonly [Id in QueryOperationId]: Notes<Query<OperationOf<Id>>> } = {
  listContacts: {
    ...recordList(contactNotes.id[1]),
    external_id: externalId,
    email: [`Only contacts with this e-mail address, in any letter case. ${plus}`, 'ada@example.com'],
    phone: [`Only contacts with this phone number. ${plus}`, '+4930123456'],
    tag: ['Only contacts with this tag. Given several times: only contacts with all of these tags.', ['vip']],
  },
  listOrders: {
    ...recordList(orderNotes.id[1]),
    external_id: externalId,
    number: ['Only orders with this number.', orderNotes.number[1]],
    contact_id: ofContact,
    status: [anyOf, ['pending', 'confirmed']],
    payment_status: [anyOf, ['paid', 'partially_refunded']],
    fulfillment_status: [anyOf, ['unfulfilled', 'partially_fulfilled']],
    placed_since: [sinceNote('placed'), start],
    placed_before: [beforeNote('placed'), end],
  },
  listEventRegistrations: {
    ...recordList(eventRegistrationNotes.id[1]),
    external_id: externalId,
    event_id: ['Only registrations for the event with this id.', eventNotes.id[1]],
    contact_id: ofContact,
    order_id: ['Only registrations that were bought with this order.', orderNotes.id[1]],
    reference: ['Only registrations with this reference.', 'K7XQ'],
    status: [anyOf, ['confirmed', 'waitlisted']],
    attendance: [anyOf, ['checked_in']],
    registered_since: [sinceNote('registered'), start],
    registered_before: [beforeNote('registered'), end],
  },
  listChanges: {
    ...page,
    offset: [
      'How many numbers to skip: of those that are kept, or of those behind `after`. A page with `offset` covers `limit` numbers, as `total` counts them, and can have fewer changes. A page without it has `limit` changes.',
      0,
    ],
    after: [
      'Only changes behind this number: higher ones, or lower ones with `sort=-number`. `-1` is the number before the first change. Without it, the list begins with the oldest change that is kept.',
      41,
    ],
    types: [
      'Only changes of these types, at most 50. `contact.*`, `order.*`, `event_registration.*`, `subscription.*` and `*` stand for several.',
      ['contact.*', 'order.paid'],
    ],
    include: [
      '`resource`: each change of a record has the record as it is now, under the type of its resource: `contact`, `order` or `event_registration`. So no record has to be read by its id.',
      'resource',
    ],
    sort: ['`number`: oldest first. `-number`: newest first.', 'number'],
  },
  listWebhookSubscriptions: page,
  listWebhookDeliveries: {
    ...page,
    after: [
      'Only deliveries that are older than the one with this id. `offset` counts from there.',
      deliveryNotes.id[1],
    ],
    status: [anyOf, ['failed']],
    event_type: [anyOf, ['contact.updated', 'order.paid']],
    resource_id: [
      'Only deliveries of events about the record or the webhook subscription with this id.',
      contactNotes.id[1],
    ],
    since: [sinceNote('stored'), start],
    before: [beforeNote('stored'), end],
  },
  getMyUsage: {
    from: [
      `The start of the range, rounded down to the resolution. Without it, the range has 24 hours, or 30 days. ${plus}`,
      start,
    ],
    to: [
      `The end of the range, which is not included, rounded up to the resolution. Without it, the range ends now, or after seven days or 400 days if that is earlier. ${plus}`,
      '2026-03-02T00:00:00Z',
    ],
    resolution: [
      'Whether requests are counted by the hour or by the day. A range has at most seven days of hours, or 400 days.',
      'hour',
    ],
  },
};

/** Common mistakes in the query of a list. */
const mistakenPage = { limit: '1000', ofset: '5' };

/** Queries with common mistakes, for the examples of 400. */
export const mistakenQueries: Record<QueryOperationId, Record<string, string>> = {
  listContacts: { email: 'ada', phone: '030 123456', updated_since: '2026-03-01T09:30:00' },
  listOrders: { status: 'paid;pending', contact_id: 'crm-1001' },
  listEventRegistrations: { event: 'evening-2026-06', sort: 'registered_at' },
  listChanges: { after: 'con_1', types: 'contacts', sort: 'newest' },
  listWebhookSubscriptions: mistakenPage,
  listWebhookDeliveries: { status: 'failed;pending', resource_id: 'crm-1001', since: 'yesterday' },
  getMyUsage: { from: 'yesterday', resolution: 'minute' },
};
