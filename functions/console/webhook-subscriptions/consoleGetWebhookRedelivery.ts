import { consoleGetWebhookRedelivery } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { getRedelivery } from '../../../lib/webhooks/redelivery/redelivery.ts';

export const handler = consoleEndpoint(consoleGetWebhookRedelivery, ({ account, params }) =>
  getRedelivery(account, params.subscriptionId, params.redeliveryId),
);
