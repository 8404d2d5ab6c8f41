import { listWebhookSubscriptions } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listSubscriptions } from '../../lib/webhooks/model/subscriptions.ts';

export const handler = endpoint(listWebhookSubscriptions, ({ account, query }) =>
  listSubscriptions(account, query),
);
