import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

/** A signing secret in the form of Standard Webhooks: 32 random bytes. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64');

/**
 * The value of `webhook-signature`: one signature for each secret, in their order.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeader(signed: {
  /** The value of `webhook-id`. */
  id: string;
  /** The value of `webhook-timestamp`: epoch seconds of the attempt. */
  timestamp: number;
  /** The body, byte for byte as it is sent. */
  body: string;
  /** All secrets that are valid; several after a rotation. */
  secrets: readonly string[];
}): string {
  const content = `${signed.id}.${signed.timestamp}.${signed.body}`;
  return signed.secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}
