import type { Environment } from './format.ts';
import { type IssuedKey, type Key, rotated } from './key.ts';

/** The key has ended: it was revoked, or has expired. */
export class KeyEndedError extends Error {
  override name = 'KeyEndedError';
}

/** @throws KeyEndedError when the key was revoked */
export function assertNotRevoked({ id, revokedAt }: Key): void {
  if (revokedAt !== undefined)
    throw new KeyEndedError(`The key ${id} was revoked at ${revokedAt}. Create a new one.`);
}

/**
 * The key with a new secret, as `rotated`.
 * @throws KeyEndedError when the key was revoked or has expired, TooManySecretsError
 */
export function rotateSecret(key: Key, environment: Environment, overlapMs: number, now: Date): IssuedKey {
  assertNotRevoked(key);
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now.getTime())
    throw new KeyEndedError(`The key ${key.id} expired at ${key.expiresAt}, so a new secret would not work.`);
  return rotated(key, environment, overlapMs, now);
}
