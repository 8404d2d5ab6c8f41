import { redeliverWebhook } from '../../lib/contract/webhookDeliveries.ts';
import { asAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { redeliver } from '../../lib/webhooks/redelivery/redeliver.ts';

export const handler = endpoint(redeliverWebhook, async ({ account, params, access, deadline, once }) =>
  asAnswer(await redeliver(account, params.subscriptionId, params.deliveryId, { access, deadline, once })),
);
