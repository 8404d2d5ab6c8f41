import { consoleGetWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { getSubscription } from '../../../lib/webhooks/model/readSubscriptions.ts';

export const handler = consoleEndpoint(consoleGetWebhookSubscription, ({ account, params }) =>
  getSubscription(account, params.subscriptionId),
);
