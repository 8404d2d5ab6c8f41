import { liveSecrets, type Secrets } from '../subscriptions/secrets.ts';
import type { Attempt } from './attempt.ts';
import { send } from './send.ts';
import { signatureHeader } from './signature.ts';

/** An attempt, and the header Retry-After of its answer. */
export interface SendResult {
  attempt: Attempt;
  retryAfter: string | undefined;
}

/**
 * Sends an event to a receiver. Each attempt gets a new signature, because a receiver refuses a signature that is
 * minutes old. Standard Webhooks,
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function sendSigned(
  url: string,
  { id, body }: { id: string; body: string },
  secrets: Secrets,
): Promise<SendResult> {
  const now = new Date();
  const timestamp = Math.floor(now.getTime() / 1000);
  const signed = { id, timestamp, body, secrets: liveSecrets(secrets, now).map(({ secret }) => secret) };
  return send({
    url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'public-api-webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(signed),
    },
    body,
  });
}
