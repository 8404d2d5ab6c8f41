import type * as z from 'zod';
import { operation } from '../resources/operation.ts';
import { id, integer, oneOf } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { completed, object, orNull, wordsOf } from '../schemas/structure.ts';
import { time } from '../schemas/times.ts';
import { eventTypePatterns, eventTypes } from './eventTypes.ts';

/** Selects the deliveries whose events a bulk redelivery sends again. */
const chosenFields = () => ({
  /** Selects deliveries that were stored at this time or later. */
  since: time(),
  /** Selects deliveries that were stored before this time; `null` for all until now. */
  before: orNull(time()),
  /** `null` selects all types. An empty text and an empty list are refused, because neither asks for all. */
  event_types: wordsOf(
    { min: 1, max: 50, or: ', or null for all types' },
    ...eventTypes,
    ...eventTypePatterns,
  ).nullable(),
});

/** failed: the retry schedule has ended. pending: an attempt is still to come. all: failed and succeeded deliveries. */
const chosenStatus = () => oneOf('failed', 'pending', 'all');

export const redeliveryRequest = /* @__PURE__ */ lazy(() =>
  completed(object({ ...chosenFields(), status: chosenStatus() }), {
    before: null,
    event_types: null,
    status: 'failed',
  }),
);
export type RedeliveryRequest = z.output<ReturnType<typeof redeliveryRequest>>;

export const webhookRedelivery = /* @__PURE__ */ lazy(() =>
  object({
    id: id('rdl'),
    subscription_id: id('whs'),
    ...chosenFields(),
    status_filter: chosenStatus(),
    /** cancelled: the subscription was deleted. */
    state: oneOf('running', 'completed', 'cancelled'),
    /** The number of deliveries from `since` to `before`. Once completed, it equals `redelivered` plus `skipped`. */
    total: integer({ min: 0 }),
    redelivered: integer({ min: 0 }),
    skipped: integer({ min: 0 }),
    left_out: object({
      /** The events will be sent anyway, or are being sent. */
      pending: integer({ min: 0 }),
      other_status: integer({ min: 0 }),
      other_type: integer({ min: 0 }),
      /** They were created while the URL of the subscription had another host. */
      earlier_host: integer({ min: 0 }),
    }),
    created_at: time(),
    updated_at: time(),
  }),
);
export type WebhookRedelivery = z.output<ReturnType<typeof webhookRedelivery>>;

const scope = 'webhooks:manage';
const collection = '/webhook-subscriptions/{subscriptionId}/redeliveries';

export const redeliverWebhooks = /* @__PURE__ */ operation({
  id: 'redeliverWebhooks',
  method: 'POST',
  path: '/webhook-subscriptions/{subscriptionId}/redeliver',
  scope,
  summary: 'Redeliver many',
  body: redeliveryRequest,
  requestHeaders: ['Idempotency-Key'],
  mayConflict: true,
  success: { status: 202, headers: ['Location'], collection },
});

export const getWebhookRedelivery = /* @__PURE__ */ operation({
  id: 'getWebhookRedelivery',
  method: 'GET',
  path: `${collection}/{redeliveryId}`,
  scope,
  summary: 'Retrieve a bulk redelivery',
  success: { status: 200 },
});
