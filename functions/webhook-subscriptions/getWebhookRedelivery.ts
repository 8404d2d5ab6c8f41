import { getWebhookRedelivery } from '../../lib/contract/webhookRedeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { getRedelivery } from '../../lib/webhooks/redelivery/redelivery.ts';

export const handler = endpoint(getWebhookRedelivery, ({ account, params }) =>
  getRedelivery(account, params.subscriptionId, params.redeliveryId),
);
