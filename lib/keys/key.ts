import type { Author } from '../activity/author.ts';
import { randomId } from '../ids.ts';
import { type Access, accessOf } from './access.ts';
import { type Environment, keyHashOf, keyHintOf, newKey } from './format.ts';

/** One secret of a key. The newest secret has no expiry of its own. A secret that was rotated out works until `expiresAt`. */
export interface Secret {
  hash: string;
  hint: string;
  /** The environment that its text names. */
  environment: Environment;
  expiresAt?: string;
}

/** An API key as operators see it. Times are RFC 3339 UTC. */
export interface ApiKey {
  id: string;
  accountId: string;
  name: string;
  access: Access;
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  /** Newest first. */
  secrets: readonly Secret[];
  /** Undefined until it is stored. */
  createdBy?: Author;
  /** Grows with every change, so that two operators at once do not undo each other's changes. */
  revision: number;
}

/** A key with its text, which is shown once and never stored. */
export interface IssuedKey {
  key: ApiKey;
  text: string;
}

const secretOf = (text: string, environment: Environment): Secret => ({
  hash: keyHashOf(text),
  hint: keyHintOf(text),
  environment,
});

export type NewKey = Pick<ApiKey, 'accountId' | 'name' | 'access'> & { expiresAt?: string };

export function issue(draft: NewKey, environment: Environment, now: Date): IssuedKey {
  const text = newKey(environment);
  const key = {
    ...draft,
    id: randomId('key'),
    createdAt: now.toISOString(),
    secrets: [secretOf(text, environment)],
    revision: 1,
  };
  return { key, text };
}

/** How many valid secrets a key can have. One transaction writes all of them with the key. */
export const secretsMax = 10;

/** The key does not allow the change. */
export class KeyRefusal extends Error {}

/** Checks that a key was not revoked. @throws KeyRefusal if it was */
export function assertNotRevoked({ id, revokedAt }: ApiKey): void {
  if (revokedAt !== undefined)
    throw new KeyRefusal(`The key ${id} was revoked at ${revokedAt}. Create a new one.`);
}

/** Returns whether a key or a secret has not expired. @param at epoch milliseconds */
export const isAtWork = ({ expiresAt }: { expiresAt?: string }, at: number): boolean =>
  expiresAt === undefined || Date.parse(expiresAt) > at;

/**
 * Returns the key with a new secret. Its older secrets expire after `overlapMs`, or earlier if they already had an earlier end. An overlap of 0
 * ends them at once.
 * @throws KeyRefusal if the key was revoked or has expired, or has too many secrets
 */
export function rotated(key: ApiKey, environment: Environment, overlapMs: number, now: Date): IssuedKey {
  assertNotRevoked(key);
  if (!isAtWork(key, now.getTime()))
    throw new KeyRefusal(`The key ${key.id} expired at ${key.expiresAt}, so a new secret would not work.`);
  const text = newKey(environment);
  const until = new Date(now.getTime() + overlapMs).toISOString();
  const older = key.secrets
    .map((secret) => ({ ...secret, expiresAt: earlier(secret.expiresAt ?? until, until) }))
    .filter((secret) => isAtWork(secret, now.getTime()));
  if (older.length >= secretsMax)
    throw new KeyRefusal(
      `The key ${key.id} has ${older.length} secrets that work. Wait until one ends, or end them all with an overlap of 0.`,
    );
  return { key: changed(key, { secrets: [secretOf(text, environment), ...older] }), text };
}

/** Returns the key with only its newest secret. */
export const withNewestSecret = (key: ApiKey): ApiKey =>
  key.secrets.length === 1 ? key : changed(key, { secrets: key.secrets.slice(0, 1) });

/** Times in this format sort as text. */
const earlier = (a: string, b: string): string => (a < b ? a : b);

export const revoked = (key: ApiKey, now: Date): ApiKey =>
  changed(key, { revokedAt: key.revokedAt ?? now.toISOString() });

export const changed = (key: ApiKey, change: Partial<ApiKey>): ApiKey => ({
  ...key,
  ...change,
  revision: key.revision + 1,
});

/** Returns the access with these scopes. An empty list is an error, because a key that loses its last scope would get full access. */
export function scopedTo(scopes: readonly string[]): Access {
  if (scopes.length === 0)
    throw new Error(
      'A key without scopes has full access, so the last scope cannot be taken away. Revoke the key instead.',
    );
  return accessOf([...new Set(scopes)].sort());
}
