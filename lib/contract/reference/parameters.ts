import type { AnyOperation, OperationOf, QueryOperationId } from '../index.ts';
import type { Params, Query } from '../operation.ts';
import type { PageQuery } from '../values/lists.ts';
import { bodyExamples } from './bodies.ts';
import { contactNotes } from './contacts.ts';
import { eventRegistrationNotes } from './eventRegistrations.ts';
import type { Notes } from './notes.ts';
import { orderNotes } from './orders.ts';
import { deliveryNotes, subscriptionNotes } from './webhooks.ts';

export type PathParameter = keyof Params<AnyOperation>;

/** The parameters of paths: the resource with the id, and an example of the id. */
export const pathParameterNotes: Record<PathParameter, { thing: string; example: string }> = {
  contactId: { thing: 'contact', example: contactNotes.id[1] },
  externalId: { thing: 'contact', example: bodyExamples.createContact.external_id },
  orderId: { thing: 'order', example: orderNotes.id[1] },
  registrationId: { thing: 'event registration', example: eventRegistrationNotes.id[1] },
  subscriptionId: { thing: 'webhook subscription', example: subscriptionNotes.id[1] },
  deliveryId: { thing: 'webhook delivery', example: deliveryNotes.id[1] },
};

const page: Notes<PageQuery> = {
  limit: ['The most records that the page may hold. A limit over 100 is 400, and is not reduced.', 25],
  offset: ['How many records to skip. Any offset costs the same.', 0],
};

/** The parameters of queries, by the operation. */
export const queryNotes: { readonly [Id in QueryOperationId]: Notes<Query<OperationOf<Id>>> } = {
  listContacts: page,
  listOrders: page,
  listEventRegistrations: page,
  listChanges: {
    ...page,
    after: [
      'Only changes behind this number: higher ones, or lower ones with `sort=-number`. `-1` is the number before the first change. Without it, the list begins with the oldest change that is kept.',
      41,
    ],
    types: [
      'Only changes of these types, separated by commas. `contact.*`, `order.*`, `event_registration.*` and `*` stand for several.',
      'contact.*,order.paid',
    ],
    sort: ['`number`: oldest first. `-number`: newest first.', 'number'],
  },
  listWebhookSubscriptions: page,
  listWebhookDeliveries: page,
};

/** Common mistakes in the query of a list. */
const mistakenPage = { limit: '1000', ofset: '5' };

/** Queries with common mistakes, for the examples of 400. */
export const mistakenQueries: Record<QueryOperationId, Record<string, string>> = {
  listContacts: mistakenPage,
  listOrders: mistakenPage,
  listEventRegistrations: mistakenPage,
  listChanges: { after: 'con_1', types: 'contacts', sort: 'newest' },
  listWebhookSubscriptions: mistakenPage,
  listWebhookDeliveries: mistakenPage,
};
