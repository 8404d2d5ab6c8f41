import { createWebhookSubscription } from '../../lib/contract/webhookSubscriptions.ts';
import { asAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { createSubscription } from '../../lib/webhooks/subscriptions/createSubscription.ts';

export const handler = endpoint(
  createWebhookSubscription,
  async ({ account, body, keyId, access, deadline, once }) =>
    asAnswer(await createSubscription(account, body, { by: { keyId, access }, deadline, once })),
);
