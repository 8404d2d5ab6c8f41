import { consoleGetWebhookDelivery } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { getDelivery } from '../../../lib/webhooks/log/readDeliveries.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';

export const handler = consoleEndpoint(consoleGetWebhookDelivery, ({ account, params }) =>
  getDelivery(account, params.subscriptionId, params.deliveryId, fromConsole.access),
);
