import { consoleListWebhookDeliveries } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { listDeliveries } from '../../../lib/webhooks/log/listDeliveries.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';

export const handler = consoleEndpoint(consoleListWebhookDeliveries, ({ account, params, query }) =>
  listDeliveries(account, params.subscriptionId, query, fromConsole.access),
);
