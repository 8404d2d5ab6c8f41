import { listWebhookDeliveries } from '../../lib/contract/webhookDeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { listDeliveries } from '../../lib/webhooks/log/listDeliveries.ts';

export const handler = endpoint(listWebhookDeliveries, ({ account, params, query, access }) =>
  listDeliveries(account, params.subscriptionId, query, access),
);
