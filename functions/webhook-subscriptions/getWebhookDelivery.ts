import { getWebhookDelivery } from '../../lib/contract/webhookDeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { getDelivery } from '../../lib/webhooks/log/deliveryLog.ts';

export const handler = endpoint(getWebhookDelivery, ({ account, params, access }) =>
  getDelivery(account, params.subscriptionId, params.deliveryId, access),
);
