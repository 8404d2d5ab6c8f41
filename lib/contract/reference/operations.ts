import type { OperationId } from '../index.ts';

/** What the reference says of an operation beyond its summary. */
interface OperationNote {
  tag: Tag;
  description: string;
  /** What a good answer tells. */
  success: string;
}

/** The areas of the API, in the order in which the reference shows them. */
export const tags = {
  Contacts: 'The people whom an account knows. You read, create and change them.',
  Orders: 'What was ordered. Orders come from the product’s own systems; you read them.',
  'Event registrations': 'Who comes to which event: one registration is one seat. You read them.',
  'Webhook subscriptions': 'Which receivers are told of what. See the guide to webhooks.',
  'Webhook deliveries': 'What was sent to a receiver in the last 30 days, and what came of it.',
  'API key': 'The key that a request comes with.',
  Events: 'What is posted to the receiver of a subscription.',
};

export type Tag = keyof typeof tags;

const inOrder =
  'Records are only ever appended, so walking with `offset += limit` meets each one that was there when the walk began exactly once.';

export const operationNotes: Record<OperationId, OperationNote> = {
  listContacts: {
    tag: 'Contacts',
    description: `All contacts of the account, oldest first. ${inOrder}`,
    success: 'The page that was asked for.',
  },
  createContact: {
    tag: 'Contacts',
    description:
      'One of `email`, `phone` and `external_id` must be given. An `external_id` belongs to one contact of the account. Send an `Idempotency-Key`, and you can repeat the request without creating a second contact.',
    success: 'The new contact.',
  },
  getContact: {
    tag: 'Contacts',
    description: 'The contact as it is now. With `If-None-Match`, only if it has changed.',
    success: 'The contact.',
  },
  updateContact: {
    tag: 'Contacts',
    description:
      'A merge patch (RFC 7396): what is left out stays, and `null` clears. `address` and `custom_fields` are merged part by part, `tags` are replaced. A patch that changes nothing leaves the version as it is. With `If-Match`, the change is made to the version that you know, or not at all. A key without `contacts:read` gets 204 and the `ETag`, and no body.',
    success: 'The contact after the change, for a key that may read contacts.',
  },
  listOrders: {
    tag: 'Orders',
    description: `All orders of the account, in the order in which they became known here. ${inOrder}`,
    success: 'The page that was asked for.',
  },
  getOrder: {
    tag: 'Orders',
    description: 'The order as it is now. With `If-None-Match`, only if it has changed.',
    success: 'The order.',
  },
  listEventRegistrations: {
    tag: 'Event registrations',
    description: `All registrations of the account, in the order in which they became known here. ${inOrder}`,
    success: 'The page that was asked for.',
  },
  getEventRegistration: {
    tag: 'Event registrations',
    description: 'The registration as it is now. With `If-None-Match`, only if it has changed.',
    success: 'The registration.',
  },
  listWebhookSubscriptions: {
    tag: 'Webhook subscriptions',
    description:
      'All subscriptions of the account, oldest first, without their secrets. There are 25 at most.',
    success: 'The page that was asked for.',
  },
  createWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'Subscribes a receiver to events. Keep the `secret` of the answer where the receiver finds it: it is not shown again. To ask for the payload `full` takes a key that may read what is in it. An account can subscribe a URL once.',
    success: 'The new subscription, with its secret.',
  },
  getWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'The subscription as it is now, and how its deliveries fare. It does not read `If-None-Match`, as `health` changes without the version.',
    success: 'The subscription.',
  },
  updateWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description:
      'A merge patch (RFC 7396). `{"status": "paused"}` lets deliveries wait; `{"status": "active"}` brings a subscription back, and everything that waited is sent. To lead a full payload elsewhere, or to ask for one, takes a key that may read what is in it.',
    success: 'The subscription after the change.',
  },
  deleteWebhookSubscription: {
    tag: 'Webhook subscriptions',
    description: 'The subscription ends at once. Deliveries that were still to come are cancelled.',
    success: 'It is deleted.',
  },
  rotateWebhookSecret: {
    tag: 'Webhook subscriptions',
    description:
      'Gives the subscription a new secret, which the answer shows, once. It signs at once. The secrets before it sign beside it for a day, or for as long as `overlap_seconds` says. A key with `webhooks:manage` can do that to any subscription of the account, whichever key made it and whatever it is sent; whoever has the secret can sign in our name. The body may be left out.',
    success: 'The subscription, with its new secret.',
  },
  testWebhookSubscription: {
    tag: 'Webhook deliveries',
    description:
      'Posts a `webhook.test` to the receiver, whether the subscription is active or not, waits for 15 seconds at most, and tells what came of it. It is not tried again, and not in the list of deliveries. There is one test of a subscription at a time: while one is under way, another is 400.',
    success: 'What came of it, good or bad.',
  },
  listWebhookDeliveries: {
    tag: 'Webhook deliveries',
    description: 'Every event of the last 30 days that the subscription was to be told of, the newest first.',
    success: 'The page that was asked for.',
  },
  getWebhookDelivery: {
    tag: 'Webhook deliveries',
    description: 'The delivery as it is now, with its attempts.',
    success: 'The delivery.',
  },
  redeliverWebhook: {
    tag: 'Webhook deliveries',
    description:
      'Sends the event of a delivery again, whatever became of it, and begins anew with the attempts. The event and its `webhook-id` stay the same.',
    success: 'The delivery, which is now to be sent.',
  },
  getMe: {
    tag: 'API key',
    description: 'Which account the key of the request is for and which scopes it has.',
    success: 'The key.',
  },
};
