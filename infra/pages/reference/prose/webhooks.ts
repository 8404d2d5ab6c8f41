import type * as z from 'zod';
import { examplePattern, exampleType } from '../../../../lib/contract/eventTypes.ts';
import type {
  TestResult,
  WebhookDelivery,
  WebhookDeliveryWithBody,
  WebhookTest,
} from '../../../../lib/contract/webhookDeliveries.ts';
import type { RedeliveryRequest, WebhookRedelivery } from '../../../../lib/contract/webhookRedeliveries.ts';
import type {
  SubscriptionDraft,
  SubscriptionInEvents,
  SubscriptionPatch,
  SubscriptionWithSecret,
  secretRotation,
} from '../../../../lib/contract/webhookSubscriptions.ts';
import { contactNotes } from '../../../../lib/resources/contacts.reference.ts';
import type { Notes } from '../../../../lib/resources/notes.ts';
import { serverNotes } from '../../../../lib/resources/sharedNotes.ts';
import { originExample, originNote } from './origin.ts';

export const healthNotes: Notes<SubscriptionWithSecret['health']> = {
  state: [
    'healthy: the last attempt succeeded, or there has been none. retrying: the last attempt failed. down: ten attempts in a row have failed, and none has succeeded for 30 seconds. While a receiver is down, its deliveries wait, and the API probes it with one delivery at a time (`next_probe_at`).',
    'healthy',
  ],
  consecutive_failures: ['The number of failed attempts since the last success.', 0],
  last_success_at: ['When an attempt last succeeded. null if none has.', null],
  last_failure_at: ['When an attempt last failed. null if none has.', null],
};

export const subscriptionNotes: Notes<SubscriptionWithSecret> = {
  id: ['The id of the subscription in this API. It never changes.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  url: [
    'The URL that events are sent to. It must use https on port 443 or 8443, and its host must resolve to public IPv4 addresses. The API normalizes it as the URL Standard describes: it converts the host to lower case, encodes non-ASCII characters, and writes an empty path as /.',
    'https://example.com/hooks',
  ],
  event_types: [
    'The event types that the subscription receives. A name with * matches several types, including types that are added later. The API removes duplicates and sorts the names alphabetically.',
    ['contact.*', exampleType],
  ],
  description: ['The purpose of the subscription, in your words.', 'Keeps the CRM up to date'],
  payload: ['full: events contain the whole resource. thin: events contain only its id.', 'full'],
  max_per_second: [
    'The maximum number of attempts per second, for a receiver that cannot handle more. Further attempts wait. null means no limit: the API sends as fast as the receiver responds, and slows down only while it releases held deliveries.',
    null,
  ],
  exclude_own: [
    'Whether to leave out changes that were made with the key that created the subscription, so that a client that also writes records does not receive its own changes. A subscription created in Settings > Integrations has no key, so this setting has no effect on it.',
    false,
  ],
  changed_fields: [
    'Send an `.updated` event only if at least one of these fields changed. If none of them belongs to a resource, no `.updated` events about that resource are sent. null means any field. Other event types are always sent. Each name must be a field of a resource in `event_types`; you find the names in `changed_fields` of its events.',
    null,
  ],
  status: [
    'Only an active subscription receives events; otherwise its deliveries are held. The API keeps probing the receiver of a suspended subscription, and activates the subscription after the first success.',
    'active',
  ],
  status_reason: [
    'Why the subscription is not active. manual: you paused it. gone: the receiver responded with 410. failing: the receiver was down for 72 hours. operator: the operator of this API paused it. blocked: the operator blocked the host for all accounts. You cannot resume a subscription that the operator paused or blocked, but changing `url` to another host resumes a blocked one.',
    null,
  ],
  next_probe_at: [
    'When the API probes the receiver next. null unless the receiver is down. Changes to this field do not increase `version`.',
    null,
  ],
  secret_hint: ['The last four characters of the secret.', 'qWg='],
  previous_secret_expires_at: ['When the previous secrets stop signing. null if there are none.', null],
  health: ['The results of the latest attempts. Changes to this field do not increase `version`.'],
  ...serverNotes('subscription'),
  created_by_key_id: [
    'The id of the API key that created the subscription. null if it was created without an API key.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  updated_by_key_id: [
    'The id of the API key that last changed the subscription or rotated its secret. Until the first change, this is the key that created it. Changes that the API makes itself do not count.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  secret: [
    'The secret that signs deliveries. Only this response contains it. If you repeat the request with the same `Idempotency-Key`, you get it again for as long as it is the newest secret.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw8cWd0bCkqWg=',
  ],
};

export const subscriptionInEventsNotes: Notes<SubscriptionInEvents> = {
  id: subscriptionNotes.id,
  host: ['The host in the subscription’s URL, without the port.', 'example.com'],
  status: subscriptionNotes.status,
};

const { url, event_types, description, max_per_second, exclude_own, changed_fields } = subscriptionNotes;

const someFields = ['email', 'tags', 'fulfillment_status'];

export const subscriptionDraftNotes: Notes<SubscriptionDraft> = {
  url,
  event_types,
  description,
  payload: [
    'full: events contain the whole resource, which the key must be allowed to read. thin: events contain only its id. Default: full if the key may read the resources, thin otherwise.',
    'full',
  ],
  max_per_second,
  exclude_own: [`${exclude_own[0]} Default: false.`, true],
  changed_fields: [changed_fields[0], someFields],
  status: ['Deliveries of a paused subscription are held. Default: active.', 'active'],
};

const { payload } = subscriptionNotes;

export const subscriptionPatchNotes: Notes<SubscriptionPatch> = {
  url,
  event_types,
  description,
  payload,
  max_per_second,
  exclude_own,
  changed_fields: [changed_fields[0], someFields],
  status: [
    'paused holds deliveries. active releases them all, even if the API has disabled or suspended the subscription. If the last attempt failed, the API sends the oldest delivery first, and the others after the first success.',
    'active',
  ],
};

export const secretRotationNotes: Notes<z.output<ReturnType<typeof secretRotation>>> = {
  overlap_seconds: [
    'For how many seconds the API also signs with the previous secrets. 0 stops that at once. Default: 86400 (one day).',
    3600,
  ],
};

type Attempt = WebhookDelivery['attempts'][number];

export const attemptNotes: Notes<Attempt> = {
  number: ['The number of the attempt, starting at 1.', 1],
  started_at: ['When the attempt began.', '2026-03-01T09:30:01.000Z'],
  duration_ms: [
    'The duration of the attempt in milliseconds, from the DNS lookup to the end of the response.',
    204,
  ],
  http_status: ['The HTTP status of the receiver’s response. null if there was none.', 204],
  outcome: [
    'The outcome of the attempt. A complete response with a status from 200 to 299 is a success. connection_error: no connection could be made, or it closed before the response was complete. protocol_error: the response is not HTTP/1.1, for example because the server supports only HTTP/2.',
    'success',
  ],
  reason: [
    'The cause of a tls_error (certificate_expired, unknown_issuer, name_mismatch, self_signed, not_tls), of a connection_error (refused, reset, or cut: closed before the response was complete) or of a protocol_error (headers_too_large: over 64 KB, not_http, http2: only HTTP/2, malformed). null for any other cause or outcome.',
    null,
  ],
  response_excerpt: [
    'The first 1024 bytes of the response’s body. If the body is compressed, this is its `Content-Encoding` in parentheses; for a redirect, it is the target in parentheses. null if there was no body.',
    null,
  ],
};

export const deliveryNotes: Notes<WebhookDelivery> = {
  id: ['The id of the delivery in this API.', 'dlv_8t2z4b6n0chjwr5m7k9q1x3v'],
  event_id: ['The id of the event, in the header webhook-id.', 'evt_qz0t2pamgs0ca30pmkfk3h9f'],
  event_type: ['The type of the event.', 'contact.updated'],
  subscription_id: ['The subscription that the event is sent to.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  resource: ['The record or webhook subscription that the event is about.'],
  origin: originNote,
  status: [
    'pending: an attempt is scheduled, or the delivery is held until the subscription is active and its receiver works again. failed: no further attempt is made, but you can redeliver it. cancelled: the subscription was deleted.',
    'succeeded',
  ],
  status_reason: [
    'Why the delivery failed. refused: the receiver kept rejecting it while it accepted others. expired: the delivery was held for 30 days. other_host: the host in `url` changed before the next attempt. null if the delivery has not failed.',
    null,
  ],
  attempt_count: ['The number of attempts so far.', 1],
  next_attempt_at: ['When the next attempt is due. null if none is scheduled.', null],
  attempts: ['The attempts, oldest first. Only the newest 13 are kept.'],
  created_at: ['When the delivery was stored.', '2026-03-01T09:30:00.250Z'],
};

export const deliveryResourceNotes: Notes<WebhookDelivery['resource']> = {
  type: ['The type of the resource.', 'contact'],
  id: ['The id of the resource.', contactNotes.id[1]],
};

/** A thin event. */
const sentBody = JSON.stringify({
  id: deliveryNotes.event_id[1],
  type: deliveryNotes.event_type[1],
  timestamp: '2026-03-01T09:30:00.000Z',
  api_version: 'v1',
  resource: { type: 'contact', id: contactNotes.id[1], version: 2 },
  origin: originExample,
  changed_fields: ['tags'],
  previous: {},
  data: { id: contactNotes.id[1] },
});

export const deliveryWithBodyNotes: Notes<WebhookDeliveryWithBody> = {
  ...deliveryNotes,
  body: [
    'The text that the latest attempt sent; before the first attempt, the text that will be sent. null for a full payload that the key may not read, and when the text is no longer kept. After the record was deleted, the text contains only its id.',
    sentBody,
  ],
};

const { number: _, ...attemptOnly } = attemptNotes;

export const testNotes: Notes<WebhookTest> = {
  check_signatures: [
    'Whether to also send two webhooks that the receiver must reject: one with a wrong signature, and one whose timestamp is an hour old. Default: false.',
    true,
  ],
  event_type: [
    'The type of the event to send. For any type other than webhook.test, this is the example event in this reference, about a record that does not exist, with the payload of the subscription and the origin `test`. Default: webhook.test.',
    exampleType,
  ],
};

export const testResultNotes: Notes<TestResult> = {
  event_id: ['The id of the test event, in the header webhook-id.', 'evt_3x5v7k9m1q2b4n6t8z0chjwr'],
  event_type: ['The type of the event that was sent.', exampleType],
  ...attemptOnly,
  verifies_signatures: [
    'The result of `check_signatures`. true: the receiver rejected both wrong webhooks. false: it accepted at least one of them with a status from 200 to 299. null: signatures were not checked, the test itself failed, or the receiver gave no usable response to a wrong webhook (none at all, or 429, 502, 503 or 504).',
    true,
  ],
};

export const redeliveryRequestNotes: Notes<RedeliveryRequest> = {
  since: [
    'Redeliver deliveries that were stored at or after this time. The log keeps deliveries for 35 days.',
    '2026-03-01T00:00:00Z',
  ],
  before: ['Redeliver only deliveries that were stored before this time. Default: now.', null],
  event_types: [
    'Redeliver only events of these types. A name with * matches several types. Default: all types.',
    [examplePattern],
  ],
  status: [
    'failed: deliveries that have failed for good. pending: deliveries that wait for an attempt. all: deliveries that have failed or succeeded. Default: failed.',
    'all',
  ],
};

export const leftOutNotes: Notes<WebhookRedelivery['left_out']> = {
  pending: ['Pending deliveries, which are sent anyway.', 25],
  other_status: ['Deliveries whose status is not the requested one.', 0],
  other_type: ['Deliveries whose event type was not requested.', 375],
  earlier_host: [
    'Deliveries from a time when `url` had another host. They are never sent to the current host.',
    0,
  ],
};

export const redeliveryNotes: Notes<WebhookRedelivery> = {
  id: ['The id of the redelivery.', 'rdl_4b6n0chjwr5m7k9q1x3v8t2z'],
  subscription_id: ['The subscription whose deliveries are sent again.', subscriptionNotes.id[1]],
  since: ['The `since` of the request.', '2026-03-01T00:00:00.000Z'],
  before: ['The `before` of the request. null if it had none.', null],
  event_types: ['The `event_types` of the request. null for all types.', [examplePattern]],
  status_filter: ['The `status` of the request.', 'all'],
  state: [
    'running: the redelivery is in progress. completed: it has processed every delivery. cancelled: the subscription was deleted first.',
    'running',
  ],
  total: [
    'The number of deliveries that were stored between `since` and `before`. When the redelivery is completed, this is the sum of `redelivered` and `skipped`.',
    1250,
  ],
  redelivered: ['How many deliveries it has sent again so far.', 100],
  skipped: ['How many deliveries it has skipped so far, for the reasons in `left_out`.', 400],
  left_out: ['How many deliveries it has skipped so far, by reason.'],
  created_at: ['When the redelivery was requested.', '2026-03-02T09:30:00.000Z'],
  updated_at: ['When it last made progress.', '2026-03-02T09:30:05.000Z'],
};
