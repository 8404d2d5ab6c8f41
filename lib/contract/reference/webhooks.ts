import type * as z from 'zod';
import type { TestResult, WebhookDelivery } from '../webhookDeliveries.ts';
import type {
  SubscriptionDraft,
  SubscriptionPatch,
  SubscriptionWithSecret,
  secretRotation,
} from '../webhookSubscriptions.ts';
import { serverNotes } from './contacts.ts';
import type { Notes } from './notes.ts';

export const healthNotes: Notes<SubscriptionWithSecret['health']> = {
  consecutive_failures: ['How many attempts have failed since the last success.', 0],
  last_success_at: ['When an attempt last succeeded; null before the first.', null],
  last_failure_at: ['When an attempt last failed; null before the first.', null],
};

export const subscriptionNotes: Notes<SubscriptionWithSecret> = {
  id: ['The id that this API gave to the subscription. It never changes.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  url: [
    'Where events are posted to: https, on port 443 or 8443, at a public IPv4 address. It is kept as the URL Standard writes it: with its host in lower case, what is not ASCII encoded, and / for no path.',
    'https://example.com/hooks',
  ],
  event_types: [
    'What you want to be told of. Names with * stand for several types, also for those to come. Doubles fall away, and the order is that of the alphabet.',
    ['contact.*', 'order.paid'],
  ],
  description: ['What the subscription is for, in your words.', 'Keeps the CRM up to date'],
  payload: ['full: events hold the whole resource. thin: only its id.', 'full'],
  status: ['Only an active subscription is sent to. For any other, deliveries wait.', 'active'],
  status_reason: [
    'Why it is not active. manual: you paused it. gone: the receiver answered 410. failing: five days without a success. operator: whoever runs this API paused it.',
    null,
  ],
  secret_hint: ['The last four characters of the secret.', 'qWg='],
  previous_secret_expires_at: ['Until when the secrets before this one sign too.', null],
  health: ['How the latest attempts went. It changes without the version.'],
  ...serverNotes('subscription'),
  created_by_key_id: [
    'The id of the API key that made the subscription; null when no API key did.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  updated_by_key_id: [
    'The id of the API key that last changed it or rotated its secret; the one that made it until then. What the API changes by itself does not count.',
    'key_2b4n6t8z0chjwr5m7k9q1x3v',
  ],
  secret: [
    'What deliveries are signed with. It is shown in this answer, and again only to a repetition with the same `Idempotency-Key` while it is the newest.',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw8cWd0bCkqWg=',
  ],
};

const { url, event_types, description } = subscriptionNotes;

export const subscriptionDraftNotes: Notes<SubscriptionDraft> = {
  url,
  event_types,
  description,
  payload: [
    'full: events hold the whole resource, which the key must be allowed to read. thin: only its id. Left out, it is as full as the key may read.',
    'full',
  ],
  status: [
    'A subscription that is paused collects deliveries, and sends none. Left out, it is active.',
    'active',
  ],
};

const { payload } = subscriptionNotes;

export const subscriptionPatchNotes: Notes<SubscriptionPatch> = {
  url,
  event_types,
  description,
  payload,
  status: [
    'paused keeps deliveries waiting; active sends them all, also after we have disabled it.',
    'active',
  ],
};

export const secretRotationNotes: Notes<z.output<ReturnType<typeof secretRotation>>> = {
  overlap_seconds: [
    'For how long the secrets before the new one sign too; 0 ends them at once. Left out, it is 86400, a day.',
    3600,
  ],
};

type Attempt = WebhookDelivery['attempts'][number];

export const attemptNotes: Notes<Attempt> = {
  number: ['Which attempt it was; the first is 1.', 1],
  started_at: ['When it began.', '2026-03-01T09:30:01.000Z'],
  duration_ms: [
    'How long it took, from looking up the address to the end of the answer, in milliseconds.',
    204,
  ],
  http_status: ['The status that the receiver answered; null when there was no answer.', 204],
  outcome: ['What came of it. A status from 200 to 299 is a success.', 'success'],
  response_excerpt: [
    'The beginning of the answer’s body, at most 1024 bytes; null when there was none.',
    null,
  ],
};

export const deliveryNotes: Notes<WebhookDelivery> = {
  id: ['The id that this API gave to the delivery.', 'dlv_8t2z4b6n0chjwr5m7k9q1x3v'],
  event_id: ['The id of the event, and the webhook-id of every attempt.', 'evt_qz0t2pamgs0ca30pmkfk3h9f'],
  event_type: ['What happened.', 'contact.updated'],
  subscription_id: ['The subscription that is told of it.', 'whs_5m7k9q1x3v8t2z4b6n0chjwr'],
  status: [
    'pending: an attempt is to come, or waits until the subscription is active. cancelled: the subscription was deleted.',
    'succeeded',
  ],
  attempt_count: ['How many attempts were made.', 1],
  next_attempt_at: ['When the next attempt is due; null when none is planned.', null],
  attempts: ['The attempts, oldest first; of more than 13 the newest 13.'],
  created_at: ['When the delivery was stored.', '2026-03-01T09:30:00.250Z'],
};

const { number: _, ...attemptOnly } = attemptNotes;

export const testResultNotes: Notes<TestResult> = {
  event_id: ['The id of the test event, and its webhook-id.', 'evt_3x5v7k9m1q2b4n6t8z0chjwr'],
  event_type: ['Always webhook.test.', 'webhook.test'],
  ...attemptOnly,
};
