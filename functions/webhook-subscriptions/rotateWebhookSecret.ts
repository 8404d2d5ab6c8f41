import { rotateWebhookSecret } from '../../lib/contract/webhookSubscriptions.ts';
import { asAnswer } from '../../lib/http/answers.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { rotateSecret } from '../../lib/webhooks/subscriptions/rotateSecret.ts';

export const handler = endpoint(
  rotateWebhookSecret,
  async ({ account, params, body, keyId, access, deadline, once }) =>
    asAnswer(
      await rotateSecret(account, params.subscriptionId, body.overlap_seconds, {
        by: { keyId, access },
        deadline,
        once,
      }),
    ),
);
