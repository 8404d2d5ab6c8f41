import type * as z from 'zod';
import { changeableFields } from '../resources/collections.ts';
import { operation } from '../resources/operation.ts';
import { boolean, id, integer, oneOf } from '../values/fields.ts';
import { anyIdOf } from '../values/filters.ts';
import { lazy } from '../values/lazy.ts';
import { pageQuery } from '../values/lists.ts';
import { receiverUrl } from '../values/receiverUrl.ts';
import { serverFields } from '../values/shared.ts';
import { completed, list, object, orNull, wordsOf } from '../values/structure.ts';
import { text } from '../values/texts.ts';
import { time } from '../values/times.ts';
import { eventTypePatterns, eventTypes } from './eventTypes.ts';

const changedFieldRule =
  'must be a field of a resource of event_types, such as email of contact: in the reference, changed_fields of the events of a resource lists them';

const subscriptionFields = () => ({
  url: receiverUrl(),
  event_types: wordsOf({ min: 1, max: 50 }, ...eventTypes, ...eventTypePatterns),
  description: orNull(text(500)),
  /** full: events hold the whole resource. thin: only its id. */
  payload: oneOf('full', 'thin'),
  /** The most attempts in a second; `null` for no limit of its own. */
  max_per_second: orNull(integer({ min: 1, max: 1000 })),
  /** Whether events about changes by the key that created it are left out. */
  exclude_own: boolean(),
  /** The fields of which one must have changed, for an update to be sent; `null` for any. Other types of events are always sent. */
  changed_fields: wordsOf(
    { min: 1, max: 50, or: ', or null for all', each: changedFieldRule },
    ...changeableFields(),
  ).nullable(),
});

export const webhookSubscription = /* @__PURE__ */ lazy(() =>
  object({
    id: id('whs'),
    ...subscriptionFields(),
    changed_fields: list(text(64), { max: 50 }).nullable(),
    /**
     * Webhooks are sent only to an active subscription; the deliveries of the others wait. The receiver of a suspended one is still tried
     * from time to time, and a success makes the subscription active.
     */
    status: oneOf('active', 'paused', 'disabled', 'suspended'),
    /**
     * Why it is not active. gone: the receiver answered 410. failing: the receiver was down for 72 hours. operator:
     * the operator of this API has paused it. blocked: the operator has blocked its host, for all accounts.
     */
    status_reason: orNull(oneOf('manual', 'failing', 'gone', 'operator', 'blocked')),
    /** When a receiver that is down is tried next; `null` for all others. */
    next_probe_at: orNull(time()),
    /** The last four characters of the secret. */
    secret_hint: text(4),
    /** Until when the secrets before this one sign too. */
    previous_secret_expires_at: orNull(time()),
    /** The results of the latest attempts. They change without the version. */
    health: object({
      /** retrying: the last attempt has failed. down: the receiver accepts nothing, so deliveries wait until a probe succeeds. */
      state: oneOf('healthy', 'retrying', 'down'),
      consecutive_failures: integer({ min: 0 }),
      last_success_at: orNull(time()),
      last_failure_at: orNull(time()),
    }),
    ...serverFields(),
    /** The key that created it; `null` when no key of the API did. */
    created_by_key_id: orNull(id('key')),
    /** The key that last changed it, at first the one that created it. Changes by the system do not count. */
    updated_by_key_id: orNull(id('key')),
  }),
);
export type WebhookSubscription = z.output<ReturnType<typeof webhookSubscription>>;

/**
 * A webhook subscription as events show it: nothing that its own receiver alone may know, as the path and the query of a URL often
 * are a password.
 */
export const subscriptionInEvents = /* @__PURE__ */ lazy(() =>
  object({ id: id('whs'), host: text(253), status: webhookSubscription().shape.status }),
);
export type SubscriptionInEvents = z.output<ReturnType<typeof subscriptionInEvents>>;

/** A subscription with its secret, in the two answers that show it. */
export const subscriptionWithSecret = /* @__PURE__ */ lazy(() =>
  webhookSubscription().extend({ secret: text(100) }),
);
export type SubscriptionWithSecret = z.output<ReturnType<typeof subscriptionWithSecret>>;

const writableStatus = () => oneOf('active', 'paused');

export const subscriptionDraft = /* @__PURE__ */ lazy(() =>
  completed(
    object({ ...subscriptionFields(), payload: orNull(oneOf('full', 'thin')), status: writableStatus() }),
    {
      description: null,
      payload: null,
      max_per_second: null,
      exclude_own: false,
      changed_fields: null,
      status: 'active',
    },
  ),
);
export type SubscriptionDraft = z.output<ReturnType<typeof subscriptionDraft>>;

/** JSON merge patch (RFC 7396): what is left out stays. */
export const subscriptionPatch = /* @__PURE__ */ lazy(() =>
  object({ ...subscriptionFields(), status: writableStatus() }).partial(),
);
export type SubscriptionPatch = z.output<ReturnType<typeof subscriptionPatch>>;

const secondsMax = 7 * 24 * 3600;

export const secretRotation = /* @__PURE__ */ lazy(() =>
  completed(object({ overlap_seconds: integer({ min: 0, max: secondsMax }) }), {
    overlap_seconds: 24 * 3600,
  }),
);

const subscriptionQuery = /* @__PURE__ */ lazy(() => object({ ...pageQuery().shape, id: anyIdOf('whs') }));
export type SubscriptionQuery = z.output<ReturnType<typeof subscriptionQuery>>;

const scope = 'webhooks:manage';
const path = '/webhook-subscriptions';
const one = `${path}/{subscriptionId}` as const;

export const listWebhookSubscriptions = /* @__PURE__ */ operation({
  id: 'listWebhookSubscriptions',
  method: 'GET',
  path,
  scope,
  summary: 'List webhook subscriptions',
  query: subscriptionQuery,
  success: { status: 200, headers: ['Link'] },
});

export const createWebhookSubscription = /* @__PURE__ */ operation({
  id: 'createWebhookSubscription',
  method: 'POST',
  path,
  scope,
  summary: 'Create a webhook subscription',
  body: subscriptionDraft,
  requestHeaders: ['Idempotency-Key'],
  success: { status: 201, headers: ['Location', 'ETag'] },
});

/** It does not read If-None-Match: health changes while the version stays. */
export const getWebhookSubscription = /* @__PURE__ */ operation({
  id: 'getWebhookSubscription',
  method: 'GET',
  path: one,
  scope,
  summary: 'Retrieve a webhook subscription',
  success: { status: 200, headers: ['ETag'] },
});

export const updateWebhookSubscription = /* @__PURE__ */ operation({
  id: 'updateWebhookSubscription',
  method: 'PATCH',
  path: one,
  scope,
  summary: 'Update a webhook subscription',
  body: subscriptionPatch,
  requestHeaders: ['If-Match'],
  success: { status: 200, headers: ['ETag'] },
});

export const deleteWebhookSubscription = /* @__PURE__ */ operation({
  id: 'deleteWebhookSubscription',
  method: 'DELETE',
  path: one,
  scope,
  summary: 'Delete a webhook subscription',
  success: { status: 204 },
});

export const rotateWebhookSecret = /* @__PURE__ */ operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: `${one}/rotate-secret`,
  scope,
  summary: 'Rotate the secret',
  body: secretRotation,
  bodyMayBeLeftOut: true,
  requestHeaders: ['Idempotency-Key'],
  success: { status: 200, headers: ['ETag'] },
});
