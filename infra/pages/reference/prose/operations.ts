import type { OperationId } from '../../../../lib/contract/index.ts';
import type { OperationNote } from '../../../../lib/resources/reference.ts';
import { oneOfAny } from './names.ts';
import { proseOf } from './resources.ts';

/** The areas of the API, in the order of the reference. */
export const tags = {
  ...proseOf('tags'),
  Changes: `Every change of ${oneOfAny} in the last 30 days, in one order. See the guide to keeping a copy in sync.`,
  'Webhook subscriptions': 'Which receiver gets which events. See the guide to webhooks.',
  'Webhook deliveries':
    'The events that were sent to a receiver in the last 35 days, with the attempts and their outcomes.',
  'API key': 'The key of the request.',
  Events: 'The POST requests that the receiver of a subscription gets.',
};

export const operationNotes: Record<OperationId, OperationNote> = {
  ...proseOf('operations'),
  listChanges: {
    tag: 'Changes',
    description:
      'Changes of records, each with a number, which is 0, 1, 2, … within the account. The changes of a record come in the order of its versions. `include=resource` adds the record as it is now. A key with `webhooks:manage` also gets when a webhook subscription was suspended or resumed. To get every change once, send the `next_after` of the previous response as `after`, and go on while `has_more` is `true`. A change is in the list about a second after it was made, and no number appears later than a higher one. Changes that the key may not read, or that `types` or `exclude_own` leave out, have numbers too, and `total` and `next_after` count them. Changes are kept for 30 days. If a change after `after` that the request asks for is no longer kept, or if `after` is higher than the newest number, the API returns 400: load the lists again, and delete what they lack.',
    success: 'The requested page.',
  },
  listWebhookSubscriptions: {
    tag: 'Webhook subscriptions',
    description:
      'All subscriptions of the account, oldest first, without their secrets. An account has 25 at most.',
    success: 'The requested page.',
  },
  createWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'Subscribes a receiver to events. Store the `secret` in the response where the receiver can read it: it is not shown again. For the payload `full`, the key must be allowed to read the resources of the events. An account can have one subscription for each URL.',
    success: 'The new subscription, with its secret.',
  },
  getWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'The current subscription, with the results of its latest attempts in `health`. This operation does not read `If-None-Match`, because `health` changes without a new version.',
    success: 'The subscription.',
  },
  updateWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'A merge patch (RFC 7396). `{"status": "paused"}` holds deliveries. `{"status": "active"}` makes a paused, disabled or suspended subscription active again, and releases its deliveries. To set the payload `full`, or to change the URL or the types of a full subscription, the key must be allowed to read the resources of the events.',
    success: 'The subscription after the change.',
  },
  deleteWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'The subscription is deleted at once, whatever its version: this operation does not read `If-Match`. Its pending deliveries are cancelled.',
    success: 'The subscription is deleted.',
  },
  rotateWebhookSecret: {
    tag: 'Webhook subscriptions',
    description:
      'Gives the subscription a new secret, which only this response shows. It takes effect immediately. For a day, or for `overlap_seconds`, events are also signed with the previous secrets. A key with `webhooks:manage` can rotate the secret of any subscription of the account, even if another key created it or if this key may not read its events. Keep the secret safe: with it, anybody can sign events in the name of this API. The body may be left out.',
    success: 'The subscription, with its new secret.',
  },
  testWebhookSubscription: {
    tag: 'Webhook deliveries',
    description:
      'Sends a `webhook.test`, or the example of another `event_type`, to the receiver, even if the subscription is not active. The API waits for the receiver for at most 15 seconds, or 18 with `check_signatures`, and returns the outcome. A test is not retried, and is not in the list of deliveries. A subscription can have one test at a time: another request during a test returns 400. With `check_signatures`, a receiver that has accepted the test gets two more webhooks, both `webhook.test`, which it must reject. The response says only whether it rejected both. The body may be left out.',
    success: 'The outcome of the test, even if it failed.',
  },
  listWebhookDeliveries: {
    tag: 'Webhook deliveries',
    description:
      'The deliveries of the subscription of the last 35 days, newest first: one for each event. A delivery is listed if it matches all filters. The filters `status`, `event_type` and `resource_id` find a changed delivery within about two seconds. Every delivery in the response matches the filters now.',
    success: 'The requested page.',
  },
  getWebhookDelivery: {
    tag: 'Webhook deliveries',
    description:
      'The current delivery, with its attempts, and with the text that was sent. A key without the scopes to read the resource gets `null` instead of the text of a full payload.',
    success: 'The delivery.',
  },
  redeliverWebhook: {
    tag: 'Webhook deliveries',
    description:
      'Sends the event of a delivery again, whatever the status of the delivery, and restarts the retry schedule. The event and its `webhook-id` stay the same. The API returns 400 for a delivery that was created when the `url` of the subscription had another host. It also returns 400 for a pending delivery to a host that has never responded with 2xx to an event or a test of the subscription: such a delivery is tried at its next retry, or right after a successful test.',
    success: 'The delivery, with the status `pending`.',
  },
  redeliverWebhooks: {
    tag: 'Webhook deliveries',
    description:
      'Sends the events of deliveries since a time again, oldest first: those that have failed for good, with the status `all` also those that succeeded, or with `pending` those that wait. Other pending deliveries are skipped, and so are those that were created when the `url` had another host; `left_out` says how many. The response comes at once, and `Location` is where you follow the progress. It starts up to ten deliveries a second, and pauses while the last ones still wait. A host that has never responded with 2xx to a signed event or a test of the subscription gets one delivery every 15 minutes, until one succeeds. Each event is sent once more, with the same `webhook-id`, however often you repeat the request. While the subscription is not active, the redelivery waits. The redeliveries of an account run one after the other. A subscription has one at a time: the same request returns the one that runs, and another one returns 409.',
    success: 'The redelivery that runs.',
  },
  getWebhookRedelivery: {
    tag: 'Webhook deliveries',
    description: 'The progress of a bulk redelivery, which can be read for 30 days.',
    success: 'The redelivery.',
  },
  getMe: {
    tag: 'API key',
    description: 'The account and the scopes of the key of the request.',
    success: 'The key.',
  },
  getMyUsage: {
    tag: 'API key',
    description:
      'How many requests the key of the request has sent, by the hour or by the day, and with which class of status. The counts are usually complete after three minutes. They come from a log that can lose lines, so do not bill by them. A request to a path or a method that does not exist is not counted, even with a valid key, and neither is the 401 of an unknown key. Hours are kept for 35 days, days for 400.',
    success: 'The counts.',
  },
};
