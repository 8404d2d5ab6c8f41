import { rotateWebhookSecret } from '../../lib/contract/webhookSubscriptions.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Replayed } from '../../lib/http/replayed.ts';
import { rotateSecret } from '../../lib/webhooks/rotateSecret.ts';

export const handler = endpoint(rotateWebhookSecret, async ({ account, params, body, deadline, once }) => {
  const { subscription, replayed } = await rotateSecret(
    account,
    params.subscriptionId,
    body.overlap_seconds,
    { deadline, once },
  );
  return replayed ? new Replayed(subscription) : subscription;
});
