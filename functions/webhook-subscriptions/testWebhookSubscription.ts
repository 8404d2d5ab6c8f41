import { testWebhookSubscription } from '../../lib/contract/webhookDeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { testSubscription } from '../../lib/webhooks/subscriptions/testSubscription.ts';

export const handler = endpoint(testWebhookSubscription, ({ account, params, body, deadline }) =>
  testSubscription(account, params.subscriptionId, body, deadline),
);
