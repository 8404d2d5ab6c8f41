import { getWebhookRedelivery } from '../../lib/contract/webhookRedeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { getRedelivery } from '../../lib/webhooks/redelivery/bulkRedelivery.ts';

export const handler = endpoint(getWebhookRedelivery, ({ account, params }) =>
  getRedelivery(account, params.subscriptionId, params.redeliveryId),
);
