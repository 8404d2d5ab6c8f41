import type { AnyOperation, OperationOf, QueryOperationId } from '../index.ts';
import type { Params, Query } from '../operation.ts';
import type { PageQuery } from '../values/lists.ts';
import { contactNotes } from './contacts.ts';
import { eventRegistrationNotes } from './eventRegistrations.ts';
import type { Notes } from './notes.ts';
import { orderNotes } from './orders.ts';
import { deliveryNotes, subscriptionNotes } from './webhooks.ts';

export type PathParameter = keyof Params<AnyOperation>;

/** The parameters of paths: what has the id, and an id. */
export const pathParameterNotes: Record<PathParameter, { thing: string; example: string }> = {
  contactId: { thing: 'contact', example: contactNotes.id[1] },
  orderId: { thing: 'order', example: orderNotes.id[1] },
  registrationId: { thing: 'event registration', example: eventRegistrationNotes.id[1] },
  subscriptionId: { thing: 'webhook subscription', example: subscriptionNotes.id[1] },
  deliveryId: { thing: 'webhook delivery', example: deliveryNotes.id[1] },
};

const page: Notes<PageQuery> = {
  limit: ['How many records the page may hold. More than 100 is refused, and not cut.', 25],
  offset: ['How many records to skip. Any offset costs the same.', 0],
};

/** The parameters of queries, by the operation. */
export const queryNotes: { readonly [Id in QueryOperationId]: Notes<Query<OperationOf<Id>>> } = {
  listContacts: page,
  listOrders: page,
  listEventRegistrations: page,
  listWebhookSubscriptions: page,
  listWebhookDeliveries: page,
};

/** The mistake that everybody makes once in the query of a list. */
const mistakenPage = { limit: '1000', ofset: '5' };

/** Queries that are wrong, each in a way that is common. */
export const mistakenQueries: Record<QueryOperationId, Record<string, string>> = {
  listContacts: mistakenPage,
  listOrders: mistakenPage,
  listEventRegistrations: mistakenPage,
  listWebhookSubscriptions: mistakenPage,
  listWebhookDeliveries: mistakenPage,
};
