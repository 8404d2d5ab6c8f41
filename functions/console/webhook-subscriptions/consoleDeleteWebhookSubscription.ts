import { consoleDeleteWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { deleteSubscription } from '../../../lib/webhooks/subscriptions/deleteSubscription.ts';

export const handler = consoleEndpoint(
  consoleDeleteWebhookSubscription,
  async ({ account, params, deadline, who }) => {
    await deleteSubscription(account, params.subscriptionId, deadline, who);
    return undefined;
  },
);
