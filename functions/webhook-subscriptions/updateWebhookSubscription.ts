import { updateWebhookSubscription } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { updateSubscription } from '../../lib/webhooks/subscriptions/updateSubscription.ts';

export const handler = endpoint(
  updateWebhookSubscription,
  ({ account, params, body, keyId, access, deadline, permit }) =>
    updateSubscription(account, params.subscriptionId, body, {
      by: { keyId, access },
      deadline,
      ifMatch: permit,
    }),
);
