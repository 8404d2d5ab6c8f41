import { createHmac } from 'node:crypto';
import { liveSecrets, type Secrets, secretPrefix } from '../model/secrets.ts';
import { type SendResult, send } from './send.ts';

export interface Signing {
  secrets: readonly string[];
  at: Date;
}

/** Sends an event to a receiver. Each attempt gets a new signature, because receivers refuse a signature that is minutes old. */
export function sendSigned(
  url: string,
  event: { id: string; body: string },
  secrets: Secrets,
): Promise<SendResult> {
  const at = new Date();
  return sendAs(url, event, { secrets: liveSecrets(secrets, at).map(({ secret }) => secret), at });
}

export async function sendAs(
  url: string,
  { id, body }: { id: string; body: string },
  { secrets, at }: Signing,
  limits: { timeoutMs?: number } = {},
): Promise<SendResult> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'public-api-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader({ id, timestamp, body, secrets }),
  };
  return send({ url, headers, body }, limits);
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(secretPrefix.length), 'base64');

/**
 * Returns the value of `webhook-signature`: one signature for each secret, in order.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeader(signed: {
  id: string;
  /** Epoch seconds of the attempt. */
  timestamp: number;
  body: string;
  secrets: readonly string[];
}): string {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`;
  return signed.secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}
