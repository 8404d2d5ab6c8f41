import { consoleListWebhookSubscriptions } from '../../../lib/contract/console/webhooks.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { listSubscriptions } from '../../../lib/webhooks/model/readSubscriptions.ts';

export const handler = consoleEndpoint(consoleListWebhookSubscriptions, ({ account, query }) =>
  listSubscriptions(account, query),
);
