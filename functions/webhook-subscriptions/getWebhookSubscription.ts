import { getWebhookSubscription } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { getSubscription } from '../../lib/webhooks/model/subscriptions.ts';

export const handler = endpoint(getWebhookSubscription, ({ account, params }) =>
  getSubscription(account, params.subscriptionId),
);
