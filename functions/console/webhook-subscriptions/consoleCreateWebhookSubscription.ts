import { consoleCreateWebhookSubscription } from '../../../lib/contract/console/webhooks.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { createSubscription } from '../../../lib/webhooks/subscriptions/createSubscription.ts';

export const handler = consoleEndpoint(
  consoleCreateWebhookSubscription,
  async ({ account, body, deadline, once, who }) =>
    asAnswer(await createSubscription(account, body, { by: { ...fromConsole, who }, deadline, once })),
);
