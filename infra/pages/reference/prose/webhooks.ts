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
    'healthy: the last attempt succeeded, or there was none. retrying: it failed. down: ten attempts in a row have failed, and none succeeded for 30 seconds; deliveries wait, and one at a time tries the receiver (`next_probe_at`).',
    'healthy',
  ],
  consecutive_failures: ['How many attempts have failed since the last success.', 0],
  last_success_at: ['When an attempt last succeeded; null before the first.', null],
  last_failure_at: ['When an attempt last failed; null before the first.', null],
};

export const subscriptionNotes: Notes<SubscriptionWithSecret> = {
  id: ['The id of the subscription in this API. It never changes.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  url: [
    'The URL that events are sent to: https, on port 443 or 8443, at a public IPv4 address. It is stored as the URL Standard serializes it: with the host in lower case, with non-ASCII characters encoded, and with / for an empty path.',
    'https://example.com/hooks',
  ],
  event_types: [
    'The types of events that the subscription gets. A name with * stands for several types, also for types that will be added. Duplicates are removed, and the names are sorted alphabetically.',
    ['contact.*', exampleType],
  ],
  description: ['The purpose of the subscription, in your words.', 'Keeps the CRM up to date'],
  payload: ['full: events hold the whole resource. thin: only its id.', 'full'],
  max_per_second: [
    'The most attempts in one second, for a receiver that cannot take more. Other attempts wait. null: as fast as the receiver responds, and more slowly only while it gets what was held.',
    null,
  ],
  exclude_own: [
    'Whether events about changes by the key that created the subscription are left out, so that a program that also writes records does not get its own changes back. A subscription that was created in Settings > Integrations has no key, and leaves out nothing.',
    false,
  ],
  changed_fields: [
    'A `.updated` event is sent only if one of these fields has changed, so events of a resource without a field here are not sent; null: whichever field has. Other types are always sent. Each must be a field of a resource that `event_types` is about; `changed_fields` of the events of a resource lists them.',
    null,
  ],
  status: [
    'Events are sent only to an active subscription. The deliveries of any other are held. The receiver of a suspended one is still tried, and the first success makes it active.',
    'active',
  ],
  status_reason: [
    'Why the subscription is not active. manual: you paused it. gone: the receiver responded with 410. failing: its receiver was down for 72 hours. operator: the operator of this API paused it. blocked: the operator blocked its host, for all accounts. Only the operator can resume what the operator has stopped, but a `url` of another host also resumes a blocked subscription.',
    null,
  ],
  next_probe_at: [
    'When the receiver is probed next, if it is down; otherwise null. A change of this field does not increase `version`.',
    null,
  ],
  secret_hint: ['The last four characters of the secret.', 'qWg='],
  previous_secret_expires_at: ['When the previous secrets stop signing.', null],
  health: ['The results of the latest attempts. They change without a new version.'],
  ...serverNotes('subscription'),
  created_by_key_id: [
    'The id of the API key that created the subscription; null when it was created without an API key.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  updated_by_key_id: [
    'The id of the API key that last changed the subscription or rotated its secret. Before the first change, it is the key that created it. Changes by the API itself do not count.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  secret: [
    'The secret that signs deliveries. Only this response shows it, and a repetition of the request with the same `Idempotency-Key` while the secret is the newest.',
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
    'full: events hold the whole resource, which the key must be allowed to read. thin: only its id. Default: full if the key may read the resources, else thin.',
    'full',
  ],
  max_per_second,
  exclude_own: [`${exclude_own[0]} Default: false.`, true],
  changed_fields: [changed_fields[0], someFields],
  status: ['The deliveries of a paused subscription are held. Default: active.', 'active'],
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
    'paused holds deliveries. active releases them all, also after the API has disabled or suspended the subscription. If the last attempt at the receiver was not a success, the oldest delivery is sent first, and the others after the first success.',
    'active',
  ],
};

export const secretRotationNotes: Notes<z.output<ReturnType<typeof secretRotation>>> = {
  overlap_seconds: [
    'How many seconds events are also signed with the previous secrets; 0 ends them at once. Default: 86400, a day.',
    3600,
  ],
};

type Attempt = WebhookDelivery['attempts'][number];

export const attemptNotes: Notes<Attempt> = {
  number: ['The number of the attempt; the first is 1.', 1],
  started_at: ['When the attempt began.', '2026-03-01T09:30:01.000Z'],
  duration_ms: [
    'The duration in milliseconds, from the lookup of the address to the end of the response.',
    204,
  ],
  http_status: ['The HTTP status of the receiver’s response; null if there was none.', 204],
  outcome: [
    'The outcome of the attempt. A complete response with a status from 200 to 299 is a success, whatever follows it. connection_error: no connection, or it ended within the response. protocol_error: the response is not HTTP/1.1, for example from a server that speaks only HTTP/2.',
    'success',
  ],
  reason: [
    'Why a tls_error (certificate_expired, unknown_issuer, name_mismatch, self_signed, not_tls), a connection_error (refused, reset, or cut: closed within the response) or a protocol_error (headers_too_large: more than 64 KB, not_http, http2: nothing but HTTP/2, malformed) happened; null for any other reason, and for other outcomes.',
    null,
  ],
  response_excerpt: [
    'The beginning of the response’s body, at most 1024 bytes. For a compressed body, its `Content-Encoding` in parentheses, and for a redirect, its target in parentheses. null if there was no body.',
    null,
  ],
};

export const deliveryNotes: Notes<WebhookDelivery> = {
  id: ['The id of the delivery in this API.', 'dlv_8t2z4b6n0chjwr5m7k9q1x3v'],
  event_id: ['The id of the event, and the webhook-id of every attempt.', 'evt_qz0t2pamgs0ca30pmkfk3h9f'],
  event_type: ['The type of the event.', 'contact.updated'],
  subscription_id: ['The subscription that the event is sent to.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  resource: ['The record or the webhook subscription that the event is about.'],
  origin: originNote,
  status: [
    'pending: an attempt is planned, or the delivery is held until the subscription is active and its receiver works. failed: no attempt is made any longer, and it can be redelivered. cancelled: the subscription was deleted.',
    'succeeded',
  ],
  status_reason: [
    'Why the delivery has failed. refused: the receiver rejected it again and again while it accepted others. expired: it was held for 30 days. other_host: before it was sent again, the `url` got another host. null if it has not failed.',
    null,
  ],
  attempt_count: ['How many attempts were made.', 1],
  next_attempt_at: ['When the next attempt is due; null when none is planned.', null],
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
    'Whether the receiver also gets two webhooks that it must reject: one with a wrong signature, and one with a timestamp of an hour ago. Default: false.',
    true,
  ],
  event_type: [
    'The type of the event that is sent. For any type but webhook.test, the event is the example in this reference, about a record that does not exist, full or thin like the subscription, with the origin `test`. Default: webhook.test.',
    exampleType,
  ],
};

export const testResultNotes: Notes<TestResult> = {
  event_id: ['The id of the test event, and its webhook-id.', 'evt_3x5v7k9m1q2b4n6t8z0chjwr'],
  event_type: ['The type of the event that was sent.', exampleType],
  ...attemptOnly,
  verifies_signatures: [
    'With `check_signatures`: true if the receiver rejected both wrong webhooks, false if it responded to one of them with a status from 200 to 299. null if this was not checked, if the test itself failed, or if the receiver did not respond to a wrong one, or responded with 429, 502, 503 or 504.',
    true,
  ],
};

export const redeliveryRequestNotes: Notes<RedeliveryRequest> = {
  since: [
    'Deliveries that were stored at this time or later. The log keeps them for 35 days.',
    '2026-03-01T00:00:00Z',
  ],
  before: ['Deliveries that were stored before this time. Default: all that exist now.', null],
  event_types: [
    'Only deliveries of events of these types. A name with * stands for several types. Default: all types.',
    [examplePattern],
  ],
  status: [
    'failed: deliveries that have failed for good. pending: those that wait for an attempt. all: those that have failed or succeeded. Default: failed.',
    'all',
  ],
};

export const leftOutNotes: Notes<WebhookRedelivery['left_out']> = {
  pending: ['Pending deliveries. Their events will be sent anyway.', 25],
  other_status: ['Deliveries with another status than the requested one.', 0],
  other_type: ['Deliveries of events of other types.', 375],
  earlier_host: [
    'Deliveries that were created when the `url` of the subscription had another host. They are not sent to the host that it has now.',
    0,
  ],
};

export const redeliveryNotes: Notes<WebhookRedelivery> = {
  id: ['The id of the redelivery.', 'rdl_4b6n0chjwr5m7k9q1x3v8t2z'],
  subscription_id: ['The subscription whose deliveries are sent again.', subscriptionNotes.id[1]],
  since: ['As in the request.', '2026-03-01T00:00:00.000Z'],
  before: ['As in the request; null for all deliveries that were stored when the request was made.', null],
  event_types: ['As in the request; null for all types.', [examplePattern]],
  status_filter: ['The `status` of the request.', 'all'],
  state: [
    'running: it has not ended. completed: it has looked at all deliveries. cancelled: the subscription was deleted before that.',
    'running',
  ],
  total: [
    'How many deliveries were stored from `since` to `before`. Each of them is looked at. When the redelivery is completed, it is the sum of `redelivered` and `skipped`.',
    1250,
  ],
  redelivered: ['How many of them are sent again so far.', 100],
  skipped: ['How many of them are not sent again, so far. `left_out` has the reasons.', 400],
  left_out: ['How many of them are not sent again so far, by reason.'],
  created_at: ['When the redelivery was requested.', '2026-03-02T09:30:00.000Z'],
  updated_at: ['When it last made progress.', '2026-03-02T09:30:05.000Z'],
};
