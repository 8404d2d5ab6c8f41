import * as z from 'zod';
import { attemptsKept } from './attempts.ts';
import { eventTypes, testEventType } from './eventTypes.ts';
import { lazy, operation } from './operation.ts';
import { id, integer, oneOf, time } from './values/fields.ts';
import { listOf, pageQuery } from './values/lists.ts';
import { list, object, orNull } from './values/structure.ts';

/** The result of one request to a receiver. */
const attemptFields = () => ({
  started_at: time(),
  /** From looking up the address to the end of the answer. */
  duration_ms: integer({ min: 0 }),
  /** `null` when there was no answer. */
  http_status: orNull(integer({ min: 0, max: 999 })),
  outcome: oneOf(
    'success',
    'http_error',
    'timeout',
    'connection_error',
    'dns_error',
    'tls_error',
    'blocked_address',
    'redirect',
  ),
  /** The beginning of the receiver's answer, at most 1024 bytes. */
  response_excerpt: orNull(z.string().max(1024)),
});

export const webhookDelivery = lazy(() =>
  object({
    id: id('dlv'),
    event_id: id('evt'),
    event_type: oneOf(...eventTypes),
    subscription_id: id('whs'),
    /** pending: an attempt is to come, or the subscription is not active. cancelled: the subscription was deleted. */
    status: oneOf('pending', 'succeeded', 'failed', 'cancelled'),
    attempt_count: integer({ min: 0 }),
    /** `null` when none is planned. */
    next_attempt_at: orNull(time()),
    /** Oldest first; of more than 13 the newest 13. */
    attempts: list(object({ number: integer({ min: 1 }), ...attemptFields() }), { max: attemptsKept }),
    created_at: time(),
  }),
);
export type WebhookDelivery = z.output<ReturnType<typeof webhookDelivery>>;

const testResult = lazy(() =>
  object({ event_id: id('evt'), event_type: oneOf(testEventType), ...attemptFields() }),
);
export type TestResult = z.output<ReturnType<typeof testResult>>;

const scope = 'webhooks:manage';
const one = '/webhook-subscriptions/{subscriptionId}';

export const testWebhookSubscription = operation({
  id: 'testWebhookSubscription',
  method: 'POST',
  path: `${one}/test`,
  scope,
  summary: 'Test a webhook subscription',
  timeoutSeconds: 20,
  success: { status: 200, body: testResult },
});

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${one}/deliveries`,
  scope,
  summary: 'List deliveries',
  query: pageQuery,
  success: { status: 200, body: listOf(webhookDelivery), headers: ['Link'] },
});

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: `${one}/deliveries/{deliveryId}`,
  scope,
  summary: 'Read a delivery',
  success: { status: 200, body: webhookDelivery },
});

export const redeliverWebhook = operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: `${one}/deliveries/{deliveryId}/redeliver`,
  scope,
  summary: 'Redeliver',
  requestHeaders: ['Idempotency-Key'],
  success: { status: 202, body: webhookDelivery },
});
