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
      'How many numbers to skip, counted from the oldest change that is kept, or from `after`. A page with `offset` covers `limit` numbers, including those of changes that are left out, so it can contain fewer changes. A page without it contains `limit` changes.',
      0,
    ],
    after: [
      'Only changes with a higher number than this one, or with a lower number if `sort=-number`. `-1` is the number before the first change. Without it, the list begins with the oldest change that is kept.',
      41,
    ],
    types: [
      `Only changes of these types, up to 50. ${allPatterns} match several types.`,
      ['contact.*', exampleType],
    ],
    include: [
      `\`resource\`: each change also contains the record as it is now, in a field named after its type: ${oneOfTypes}. So you do not need to read each record.`,
      'resource',
    ],
    exclude_own: [
      '`true` leaves out changes that were made with this key, so that a client that also writes records does not get its own changes. They still have numbers.',
      false,
    ],
    sort: ['`number` lists the oldest changes first, `-number` the newest.', 'number'],
  },
  listWebhookSubscriptions: { ...page, id: [idsOf('subscriptions'), [subscriptionNotes.id[1]]] },
  listWebhookDeliveries: {
    ...page,
    after: [
      'Only deliveries older than the delivery with this id. `offset` and `total` count from there.',
      deliveryNotes.id[1],
    ],
    id: [idsOf('deliveries'), [deliveryNotes.id[1]]],
    status: [anyOf, ['failed']],
    event_type: [anyOf, ['contact.updated', exampleType]],
    resource_id: [
      'Only deliveries of events about the record or webhook subscription with this id.',
      contactNotes.id[1],
    ],
    since: [sinceNote('stored'), start],
    before: [beforeNote('stored'), end],
  },
  getMyUsage: {
    from: [
      'The start of the range, rounded down to the resolution. Default: 24 hours before the end, or 30 days for counts by the day.',
      start,
    ],
    to: [
      'The end of the range, rounded up to the resolution and not included. Default: now, or the end of the longest range from `from` if that is earlier.',
      '2026-03-02T00:00:00Z',
    ],
    resolution: [
      'Whether to count by the hour or by the day. A range can cover up to seven days by the hour, or 400 days by the day.',
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
