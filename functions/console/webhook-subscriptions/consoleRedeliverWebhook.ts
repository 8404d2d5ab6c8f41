import { consoleRedeliverWebhook } from '../../../lib/contract/console/webhooks.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { redeliver } from '../../../lib/webhooks/redelivery/redeliver.ts';

const { access } = fromConsole;

export const handler = consoleEndpoint(consoleRedeliverWebhook, async ({ account, params, deadline, once }) =>
  asAnswer(await redeliver(account, params.subscriptionId, params.deliveryId, { access, deadline, once })),
);
