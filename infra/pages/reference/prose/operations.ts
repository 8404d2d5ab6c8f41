import type { OperationId } from '../../../../lib/contract/index.ts';
import type { OperationNote } from '../../../../lib/resources/reference.ts';
import { oneOfAny } from './names.ts';
import { proseOf } from './resources.ts';

/** The areas of the API, in the order of the reference. */
export const tags = {
  ...proseOf('tags'),
  Changes: `Every change to ${oneOfAny} in the last 30 days, in one order. See the guide to keeping a copy in sync.`,
  'Webhook subscriptions': 'Which receiver gets which events. See the guide to webhooks.',
  'Webhook deliveries':
    'The events of the last 35 days for each receiver, with all attempts and their outcomes.',
  'API key': 'The key that you send with your requests.',
  Events: 'The POST requests that the receiver of a subscription gets.',
};

export const operationNotes: Record<OperationId, OperationNote> = {
  ...proseOf('operations'),
  listChanges: {
    tag: 'Changes',
    description:
      'Lists the changes to records of the account, which are numbered 0, 1, 2, … The changes to one record come in the order of its versions. `include=resource` adds the record as it is now. A key with `webhooks:manage` also sees when a webhook subscription was suspended or resumed. To get every change once, send the `next_after` of the previous response as `after`, and go on while `has_more` is `true`. A change appears about a second after it was made, and never after a change with a higher number. Changes that the key may not read, or that `types` or `exclude_own` leave out, have numbers too, and `total` and `next_after` count them. Changes are kept for 30 days. If a change that you ask for is no longer kept, or if `after` is higher than the newest number, the API returns 400: load the lists again, and delete the records that they no longer contain.',
    success: 'The requested page.',
  },
  listWebhookSubscriptions: {
    tag: 'Webhook subscriptions',
    description:
      'Lists all subscriptions of the account, oldest first, without their secrets. An account can have up to 25.',
    success: 'The requested page.',
  },
  createWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'Subscribes a receiver to events. Store the `secret` from the response where the receiver can read it, because it is not shown again. For the payload `full`, the key must be allowed to read the resources that the events contain. An account can have one subscription for each URL.',
    success: 'The new subscription, with its secret.',
  },
  getWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'Returns the subscription, with the results of its latest attempts in `health`. This operation ignores `If-None-Match`, because `health` changes without a new version.',
    success: 'The subscription.',
  },
  updateWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'A merge patch (RFC 7396). `{"status": "paused"}` holds deliveries. `{"status": "active"}` makes a paused, disabled or suspended subscription active again, and releases its deliveries. To set the payload to `full`, or to change the URL or the event types of a subscription with that payload, the key must be allowed to read the resources that the events contain.',
    success: 'The subscription after the change.',
  },
  deleteWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'Deletes the subscription immediately and cancels its pending deliveries. This operation ignores `If-Match`.',
    success: 'The subscription was deleted.',
  },
  rotateWebhookSecret: {
    tag: 'Webhook subscriptions',
    description:
      'Creates a new secret for the subscription and returns it once. Events are signed with it immediately. For one day, or for `overlap_seconds`, they are also signed with the previous secrets. A key with `webhooks:manage` can rotate the secret of any subscription of the account, whoever created it and whatever its events contain. Keep the secret safe, because anyone who has it can sign events as this API. The body is optional.',
    success: 'The subscription, with its new secret.',
  },
  testWebhookSubscription: {
    tag: 'Webhook deliveries',
    description:
      'Sends a `webhook.test`, or the example of another `event_type`, to the receiver, even if the subscription is not active. The API waits up to 15 seconds for the receiver, or 18 with `check_signatures`, and returns the outcome. A test is not retried, and does not appear in the list of deliveries. A subscription can run one test at a time: during a test, the API returns 400 for another one. With `check_signatures`, a receiver that has accepted the test gets two more webhooks of the type `webhook.test`, which it must reject. The response only tells you whether it rejected both. The body is optional.',
    success: 'The outcome of the test, even if it failed.',
  },
  listWebhookDeliveries: {
    tag: 'Webhook deliveries',
    description:
      'Lists the deliveries of the subscription in the last 35 days, newest first. There is one for each event. You can combine filters: the list contains the deliveries that match all of them. The filters `status`, `event_type` and `resource_id` find a delivery about two seconds after it changed. Every delivery in the response matches the filters now.',
    success: 'The requested page.',
  },
  getWebhookDelivery: {
    tag: 'Webhook deliveries',
    description:
      'Returns the delivery with its attempts and the body that was sent. If the key may not read the resource, the body of a full payload is `null`.',
    success: 'The delivery.',
  },
  redeliverWebhook: {
    tag: 'Webhook deliveries',
    description:
      'Sends the event of a delivery again, whatever the status of the delivery is, and restarts the retry schedule. The event and its `webhook-id` stay the same. The API returns 400 if the delivery is from a time when `url` had another host. It also returns 400 for a pending delivery if the host has never accepted an event or a test of the subscription with 2xx: such a delivery is sent at its next retry, or right after a successful test.',
    success: 'The delivery, with the status `pending`.',
  },
  redeliverWebhooks: {
    tag: 'Webhook deliveries',
    description:
      'Sends the events of past deliveries again, oldest first. By default these are the deliveries that have failed for good; `all` adds those that succeeded, and `pending` selects those that wait. It skips other pending deliveries, and deliveries from a time when `url` had another host; `left_out` counts them. The API responds at once, and you follow the progress at the URL in `Location`. A redelivery starts up to ten deliveries a second, and pauses while the previous ones still wait. A host that has never accepted a signed event or a test of the subscription with 2xx gets one delivery every 15 minutes until one succeeds. Each event is sent once more with the same `webhook-id`, however often you repeat the request. While the subscription is not active, the redelivery waits. An account runs its redeliveries one after the other. A subscription can have one at a time: the same request returns the running one, and for a different request the API returns 409.',
    success: 'The running redelivery.',
  },
  getWebhookRedelivery: {
    tag: 'Webhook deliveries',
    description: 'Returns the progress of a bulk redelivery, until 30 days after it ends.',
    success: 'The redelivery.',
  },
  getMe: {
    tag: 'API key',
    description: 'Returns the account and the scopes of the key that you send.',
    success: 'The key.',
  },
  getMyUsage: {
    tag: 'API key',
    description:
      'Returns how many requests were sent with this key, by hour or by day and by class of status. The counts are usually complete after three minutes. They come from a log that can lose lines, so do not bill by them. Requests to a path or a method that does not exist are not counted, even with a valid key, and neither are requests with an unknown key. The API keeps counts by the hour for 35 days, and by the day for 400.',
    success: 'The counts.',
  },
};
