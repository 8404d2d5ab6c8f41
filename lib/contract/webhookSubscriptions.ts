import type * as z from 'zod';
import { changeableFields } from '../resources/collections.ts';
import { operation } from '../resources/operation.ts';
import { boolean, id, integer, oneOf } from '../schemas/fields.ts';
import { anyIdOf } from '../schemas/filters.ts';
import { lazy } from '../schemas/lazy.ts';
import { pageQuery } from '../schemas/lists.ts';
import { receiverUrl } from '../schemas/receiverUrl.ts';
import { serverFields } from '../schemas/shared.ts';
import { completed, list, object, orNull, wordsOf } from '../schemas/structure.ts';
import { text } from '../schemas/texts.ts';
import { time } from '../schemas/times.ts';
import { eventTypePatterns, eventTypes } from './eventTypes.ts';

const changedFieldRule =
  'must be a field of a resource of event_types, such as email of contact: in the reference, changed_fields of the events of a resource lists them';

const subscriptionFields = () => ({
  url: receiverUrl(),
  event_types: wordsOf({ min: 1, max: 50 }, ...eventTypes, ...eventTypePatterns),
  description: orNull(text(500)),
  /** full: events contain the whole resource. thin: events contain only its id. */
  payload: oneOf('full', 'thin'),
  /** The most attempts in a second; `null` for no limit. */
  max_per_second: orNull(integer({ min: 1, max: 1000 })),
  /** Whether to leave out events about changes that the creating key made. */
  exclude_own: boolean(),
  /** An update is sent only if one of these fields changed; `null` for any field. Other event types are always sent. */
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
     * Webhooks are sent only to an active subscription. Otherwise, deliveries wait. The receiver of a suspended subscription is still probed
     * from time to time, and a success makes the subscription active.
     */
    status: oneOf('active', 'paused', 'disabled', 'suspended'),
    /**
     * Why the subscription is not active. gone: the receiver returned 410. failing: the receiver was down for 72 hours. operator: the operator
     * of this API has paused it. blocked: the operator has blocked its host for all accounts.
     */
    status_reason: orNull(oneOf('manual', 'failing', 'gone', 'operator', 'blocked')),
    /** When a receiver that is down is probed next; otherwise `null`. */
    next_probe_at: orNull(time()),
    /** The last four characters of the secret. */
    secret_hint: text(4),
    /** Until when the previous secrets also sign. */
    previous_secret_expires_at: orNull(time()),
    /** The results of the latest attempts. They change without a new version. */
    health: object({
      /** retrying: the last attempt failed. down: the receiver accepts nothing, so deliveries wait until a probe succeeds. */
      state: oneOf('healthy', 'retrying', 'down'),
      consecutive_failures: integer({ min: 0 }),
      last_success_at: orNull(time()),
      last_failure_at: orNull(time()),
    }),
    ...serverFields(),
    /** The key that created the subscription; `null` if no key of the API did. */
    created_by_key_id: orNull(id('key')),
    /** The key that last changed the subscription, or the key that created it. Changes by the system do not count. */
    updated_by_key_id: orNull(id('key')),
  }),
);
export type WebhookSubscription = z.output<ReturnType<typeof webhookSubscription>>;

/**
 * A webhook subscription as events show it. It leaves out everything that only its own receiver may know, because the path and the query of a
 * URL often contain a password.
 */
export const subscriptionInEvents = /* @__PURE__ */ lazy(() =>
  object({ id: id('whs'), host: text(253), status: webhookSubscription().shape.status }),
);
export type SubscriptionInEvents = z.output<ReturnType<typeof subscriptionInEvents>>;

/** A subscription with its secret, in the two responses that show it. */
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

/** JSON merge patch (RFC 7396): omitted fields keep their value. */
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

/** Ignores If-None-Match, because health changes while the version stays the same. */
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
