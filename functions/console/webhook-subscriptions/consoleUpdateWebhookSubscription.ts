import { consoleUpdateWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { fromConsole as by } from '../../../lib/webhooks/subscriptions/subscription.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';

export const handler = consoleEndpoint(
  consoleUpdateWebhookSubscription,
  ({ account, params, body, deadline, permit }) =>
    updateSubscription(account, params.subscriptionId, body, { by, deadline, ifMatch: permit }),
);
