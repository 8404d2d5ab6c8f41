import { randomId } from '../ids.ts';
import { type Access, accessOf } from './access.ts';
import { type Environment, hashOf, hintOf, newKey } from './format.ts';

/** One of the secrets of a key. The newest has no expiry of its own; one that was rotated out lives until `expiresAt`. */
export interface Secret {
  hash: string;
  hint: string;
  expiresAt?: string;
}

/** An API key as ops see it. Times are RFC 3339 UTC. */
export interface Key {
  id: string;
  accountId: string;
  name: string;
  access: Access;
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  /** Newest first. */
  secrets: readonly Secret[];
  /** When a secret that it has no more was last used; the items of the others say it of theirs. */
  lastUsedAt?: string;
  /** Grows with every change, so that two ops at once do not undo each other. */
  revision: number;
}

/** A key with the text that the client has to send: it exists only in this moment. */
export interface Issued {
  key: Key;
  text: string;
}

const secretOf = (text: string): Secret => ({ hash: hashOf(text), hint: hintOf(text) });

export type Draft = Pick<Key, 'accountId' | 'name' | 'access'> & { expiresAt?: string };

export function issue(draft: Draft, environment: Environment, now: Date): Issued {
  const text = newKey(environment);
  const key = {
    ...draft,
    id: randomId('key'),
    createdAt: now.toISOString(),
    secrets: [secretOf(text)],
    revision: 1,
  };
  return { key, text };
}

/** Enough for whoever rotates, few enough to know who still holds one. All are written in one transaction with their key. */
export const secretsMax = 10;

/** A key has as many secrets that work as it may have. */
export class TooManySecretsError extends Error {
  override name = 'TooManySecretsError';
}

/**
 * The same key with a new secret. Those it had live for another `overlapMs`, or less if they were given less; an overlap
 * of 0 ends them all.
 * @throws TooManySecretsError
 */
export function rotated(key: Key, environment: Environment, overlapMs: number, now: Date): Issued {
  const text = newKey(environment);
  const until = new Date(now.getTime() + overlapMs).toISOString();
  const older = key.secrets
    .map((secret) => ({ ...secret, expiresAt: earlier(secret.expiresAt ?? until, until) }))
    .filter((secret) => Date.parse(secret.expiresAt) > now.getTime());
  if (older.length >= secretsMax)
    throw new TooManySecretsError(`The key ${key.id} has ${older.length} secrets that work`);
  return { key: changed(key, { secrets: [secretOf(text), ...older] }), text };
}

/** Times of this one form are in order as texts are. */
const earlier = (a: string, b: string): string => (a < b ? a : b);

export const revoked = (key: Key, now: Date): Key =>
  changed(key, { revokedAt: key.revokedAt ?? now.toISOString() });

export const changed = (key: Key, change: Partial<Key>): Key => ({
  ...key,
  ...change,
  revision: key.revision + 1,
});

/**
 * Scopes as a closed decision. An empty list is refused: it would make a key with full access out of one whose last
 * scope was taken away.
 */
export function scopedTo(scopes: readonly string[]): Access {
  if (scopes.length === 0)
    throw new Error(
      'A key without scopes has full access, so the last scope cannot be taken away. Revoke the key instead.',
    );
  return accessOf([...new Set(scopes)].sort());
}
