import { consoleRotateWebhookSecret } from '../../../lib/contract/console/webhooks.ts';
import { asAnswer } from '../../../lib/http/answers.ts';
import { consoleEndpoint } from '../../../lib/http/consoleEndpoint.ts';
import { fromConsole } from '../../../lib/webhooks/model/subscription.ts';
import { rotateSecret } from '../../../lib/webhooks/subscriptions/rotateSecret.ts';

export const handler = consoleEndpoint(
  consoleRotateWebhookSecret,
  async ({ account, params, body, deadline, once, who }) =>
    asAnswer(
      await rotateSecret(account, params.subscriptionId, body.overlap_seconds, {
        by: { ...fromConsole, who },
        deadline,
        once,
      }),
    ),
);
