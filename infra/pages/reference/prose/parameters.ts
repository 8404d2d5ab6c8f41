import { exampleType } from '../../../../lib/contract/eventTypes.ts';
import type { PathParameterNote } from '../../../../lib/resources/reference.ts';
import { anyOf, beforeNote, end, idsOf, page, sinceNote, start } from './recordQueries.ts';
import { proseOf } from './resources.ts';

export type { PathParameterNote };

import type { AnyOperation, OperationOf, QueryOperationId } from '../../../../lib/contract/index.ts';
import { contactNotes } from '../../../../lib/resources/contacts.reference.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';
import type { Params, Query } from '../../../../lib/resources/operation.ts';
import { allPatterns, oneOfTypes } from './names.ts';
import { deliveryNotes, redeliveryNotes, subscriptionNotes } from './webhooks.ts';

export type PathParameter = keyof Params<AnyOperation>;

export const pathParameterNotes: Record<PathParameter, PathParameterNote> = {
  ...proseOf('pathParameters'),
  externalId: { thing: 'record', by: 'external id', example: 'crm-1001' },
  subscriptionId: { thing: 'webhook subscription', by: 'id', example: subscriptionNotes.id[1] },
  deliveryId: { thing: 'webhook delivery', by: 'id', example: deliveryNotes.id[1] },
  redeliveryId: { thing: 'redelivery', by: 'id', example: redeliveryNotes.id[1] },
};

/** The query parameters, by operation. */
export const queryNotes: { readonly [Id in QueryOperationId]: Notes<Query<OperationOf<Id>>> } = {
  ...proseOf('queries'),
  listChanges: {
    ...page,
    offset: [
      'How many numbers to skip: of those that are kept, or of those after `after`. A page with `offset` covers `limit` numbers, as `total` counts them, and can have fewer changes. A page without it has `limit` changes.',
      0,
    ],
    after: [
      'Only changes after this number: higher ones, or lower ones with `sort=-number`. `-1` is the number before the first change. Without it, the list begins with the oldest change that is kept.',
      41,
    ],
    types: [
      `Only changes of these types, at most 50. ${allPatterns} stand for several.`,
      ['contact.*', exampleType],
    ],
    include: [
      `\`resource\`: each change of a record has the record as it is now, under the type of its resource: ${oneOfTypes}. So no record has to be read by its id.`,
      'resource',
    ],
    exclude_own: [
      '`true` leaves out the changes that this key has made. They have numbers, too. So a program that reads changes and writes records does not get its own ones back.',
      false,
    ],
    sort: ['`number`: oldest first. `-number`: newest first.', 'number'],
  },
  listWebhookSubscriptions: { ...page, id: [idsOf('subscriptions'), [subscriptionNotes.id[1]]] },
  listWebhookDeliveries: {
    ...page,
    after: [
      'Only deliveries that are older than the one with this id. `offset` and `total` count from there.',
      deliveryNotes.id[1],
    ],
    id: [idsOf('deliveries'), [deliveryNotes.id[1]]],
    status: [anyOf, ['failed']],
    event_type: [anyOf, ['contact.updated', exampleType]],
    resource_id: [
      'Only deliveries of events about the record or the webhook subscription with this id.',
      contactNotes.id[1],
    ],
    since: [sinceNote('stored'), start],
    before: [beforeNote('stored'), end],
  },
  getMyUsage: {
    from: [
      'The start of the range, rounded down to the resolution. Without it, the range has 24 hours, or 30 days.',
      start,
    ],
    to: [
      'The end of the range, which is not included, rounded up to the resolution. Without it, the range ends now, or after seven days or 400 days if that is earlier.',
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
  ...proseOf('mistakenQueries'),
  listChanges: { after: 'con_1', types: 'contacts', sort: 'newest' },
  listWebhookSubscriptions: mistakenPage,
  listWebhookDeliveries: { status: 'failed;pending', resource_id: 'crm-1001', since: 'yesterday' },
  getMyUsage: { from: 'yesterday', resolution: 'minute' },
};
