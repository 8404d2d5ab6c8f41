import { consoleUpdateWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { updateSubscription } from '../../../lib/webhooks/subscriptions/updateSubscription.ts';

export const handler = consoleEndpoint(
  consoleUpdateWebhookSubscription,
  ({ account, params, body, deadline, permit, who }) =>
    updateSubscription(account, params.subscriptionId, body, {
      by: { ...fromConsole, who },
      deadline,
      ifMatch: permit,
    }),
);
