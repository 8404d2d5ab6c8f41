import { redeliverWebhooks } from '../../lib/contract/webhookRedeliveries.ts';
import { asAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { startRedelivery } from '../../lib/webhooks/redelivery/bulkRedelivery.ts';

export const handler = endpoint(redeliverWebhooks, async ({ account, params, body, deadline, once }) =>
  asAnswer(await startRedelivery(account, params.subscriptionId, body, { deadline, once })),
);
