import { deleteWebhookSubscription } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { deleteSubscription } from '../../lib/webhooks/subscriptions/deleteSubscription.ts';

export const handler = endpoint(deleteWebhookSubscription, async ({ account, params, deadline }) => {
  await deleteSubscription(account, params.subscriptionId, deadline);
  return undefined;
});
