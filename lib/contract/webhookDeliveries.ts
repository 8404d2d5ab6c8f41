import * as z from 'zod';
import { ofAll } from '../resources/index.ts';
import { operation } from '../resources/operation.ts';
import { boolean, id, idOfAny, integer, oneOf } from '../schemas/fields.ts';
import { anyIdOf, anyOf } from '../schemas/filters.ts';
import { lazy } from '../schemas/lazy.ts';
import { pageQuery } from '../schemas/lists.ts';
import { completed, list, object, orNull } from '../schemas/structure.ts';
import { moment, time } from '../schemas/times.ts';
import { attemptsKept, deliveryStatuses } from './attempts.ts';
import { eventResourceTypes, eventTypes, testEventType } from './eventTypes.ts';
import { origin } from './origin.ts';

const attemptFields = () => ({
  started_at: time(),
  /** The time from the address lookup to the end of the response. */
  duration_ms: integer({ min: 0 }),
  /** `null` if no response was received. */
  http_status: orNull(integer({ min: 0, max: 999 })),
  outcome: oneOf(
    'success',
    'http_error',
    'timeout',
    'connection_error',
    'protocol_error',
    'dns_error',
    'tls_error',
    'blocked_address',
    'redirect',
  ),
  /** The cause of a `tls_error` (the first five), a `connection_error` (three) or a `protocol_error`; `null` for other causes and outcomes. */
  reason: orNull(
    oneOf(
      'certificate_expired',
      'unknown_issuer',
      'name_mismatch',
      'self_signed',
      'not_tls',
      'refused',
      'reset',
      'cut',
      'headers_too_large',
      'not_http',
      'http2',
      'malformed',
    ),
  ),
  /** The beginning of the receiver's response, at most 1024 bytes. For a compressed response, its encoding; for a redirect, its target. */
  response_excerpt: orNull(z.string().max(1024)),
});

const resourceId = () => idOfAny(...ofAll(({ prefix }) => [prefix], 'whs'));

const deliveryFields = () => ({
  id: id('dlv'),
  event_id: id('evt'),
  event_type: oneOf(...eventTypes),
  subscription_id: id('whs'),
  resource: object({
    type: oneOf(...eventResourceTypes),
    id: resourceId(),
  }),
  origin: origin(),
  status: oneOf(...deliveryStatuses),
  /**
   * Why the delivery failed; `null` if it did not. refused: the receiver accepted other events. expired: it waited for thirty days. other_host:
   * it was sent again, but the URL got another host before its attempt.
   */
  status_reason: orNull(oneOf('refused', 'expired', 'other_host')),
  attempt_count: integer({ min: 0 }),
  /** `null` if no attempt is planned. */
  next_attempt_at: orNull(time()),
  /** The newest 13 attempts, oldest first. */
  attempts: list(object({ number: integer({ min: 1 }), ...attemptFields() }), { max: attemptsKept }),
  created_at: time(),
});

export const webhookDelivery = /* @__PURE__ */ lazy(() => object(deliveryFields()));
export type WebhookDelivery = z.output<ReturnType<typeof webhookDelivery>>;

/** DynamoDB's size limit for an item, which contains the body of an event. */
const bodyMax = 400_000;

export const webhookDeliveryWithBody = /* @__PURE__ */ lazy(() =>
  object({
    ...deliveryFields(),
    /** `null` if the key may not read it, if it is no longer stored, or if nothing was sent and nothing will be. */
    body: orNull(z.string().max(bodyMax)),
  }),
);
export type WebhookDeliveryWithBody = z.output<ReturnType<typeof webhookDeliveryWithBody>>;

export const deliveryQuery = /* @__PURE__ */ lazy(() =>
  object({
    ...pageQuery().shape,
    after: id('dlv').optional(),
    id: anyIdOf('dlv'),
    status: anyOf(...deliveryStatuses),
    event_type: anyOf(...eventTypes),
    resource_id: resourceId().optional(),
    since: moment(),
    before: moment(),
  }),
);
export type DeliveryQuery = z.output<ReturnType<typeof deliveryQuery>>;

export const testedType = /* @__PURE__ */ lazy(() => oneOf(testEventType, ...eventTypes));

export const webhookTest = /* @__PURE__ */ lazy(() =>
  completed(object({ check_signatures: boolean(), event_type: testedType() }), {
    check_signatures: false,
    event_type: testEventType,
  }),
);
export type WebhookTest = z.output<ReturnType<typeof webhookTest>>;

export const testResult = /* @__PURE__ */ lazy(() =>
  object({
    event_id: id('evt'),
    event_type: testedType(),
    ...attemptFields(),
    /** `null` if signatures were not checked, or if the responses do not tell. */
    verifies_signatures: orNull(boolean()),
  }),
);
export type TestResult = z.output<ReturnType<typeof testResult>>;

const scope = 'webhooks:manage';

export const testWebhookSubscription = /* @__PURE__ */ operation({
  id: 'testWebhookSubscription',
  method: 'POST',
  path: '/webhook-subscriptions/{subscriptionId}/test',
  scope,
  summary: 'Test a webhook subscription',
  timeoutSeconds: 20,
  body: webhookTest,
  bodyMayBeLeftOut: true,
  success: { status: 200 },
});

export const listWebhookDeliveries = /* @__PURE__ */ operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhook-subscriptions/{subscriptionId}/deliveries',
  scope,
  summary: 'List deliveries',
  query: deliveryQuery,
  success: { status: 200, headers: ['Link'] },
});

export const getWebhookDelivery = /* @__PURE__ */ operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/webhook-subscriptions/{subscriptionId}/deliveries/{deliveryId}',
  scope,
  summary: 'Retrieve a delivery',
  success: { status: 200 },
});

export const redeliverWebhook = /* @__PURE__ */ operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: '/webhook-subscriptions/{subscriptionId}/deliveries/{deliveryId}/redeliver',
  scope,
  summary: 'Redeliver',
  requestHeaders: ['Idempotency-Key'],
  success: { status: 202 },
});
