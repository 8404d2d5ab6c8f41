import { consoleTestWebhookSubscription } from '../../lib/contract/console/consoleWebhooks.ts';
import { consoleEndpoint } from '../../lib/http/consoleEndpoint.ts';
import { testSubscription } from '../../lib/webhooks/subscriptions/testSubscription.ts';

export const handler = consoleEndpoint(
  consoleTestWebhookSubscription,
  ({ account, params, body, deadline, who }) =>
    testSubscription(account, params.subscriptionId, body, deadline, who),
);
