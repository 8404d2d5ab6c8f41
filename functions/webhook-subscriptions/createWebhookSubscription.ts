import { createWebhookSubscription } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Replayed } from '../../lib/http/replayed.ts';
import { createSubscription } from '../../lib/webhooks/createSubscription.ts';

export const handler = endpoint(
  createWebhookSubscription,
  async ({ account, body, access, deadline, once }) => {
    const { subscription, replayed } = await createSubscription(account, body, { access, deadline, once });
    return replayed ? new Replayed(subscription) : subscription;
  },
);
