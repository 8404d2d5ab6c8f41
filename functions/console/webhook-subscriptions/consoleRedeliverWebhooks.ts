import { consoleRedeliverWebhooks } from '../../../lib/contract/console/webhooks.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { startRedelivery } from '../../../lib/webhooks/redelivery/startRedelivery.ts';

export const handler = consoleEndpoint(
  consoleRedeliverWebhooks,
  async ({ account, params, body, deadline, once }) =>
    asAnswer(await startRedelivery(account, params.subscriptionId, body, { deadline, once })),
);
