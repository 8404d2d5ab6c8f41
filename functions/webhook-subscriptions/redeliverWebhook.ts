import { redeliverWebhook } from '../../lib/contract/webhookDeliveries.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Replayed } from '../../lib/http/replayed.ts';
import { redeliver } from '../../lib/webhooks/redeliver.ts';

export const handler = endpoint(redeliverWebhook, async ({ account, params, access, deadline, once }) => {
  const { subscriptionId, deliveryId } = params;
  const { delivery, replayed } = await redeliver(account, subscriptionId, deliveryId, {
    access,
    deadline,
    once,
  });
  return replayed ? new Replayed(delivery) : delivery;
});
