import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../contract/console/operation.ts';
import type { Actor } from '../../contract/console/session.ts';
import { absent, is } from '../../dynamodb/expressions.ts';
import { sessions } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';

// The items of the Sessions table; table.ts describes them.

/** A link that was not used yet, as it is stored. */
export interface Link {
  account: string;
  account_name: string | null;
  actor: Actor;
  role: Role;
  return_url: string | null;
  /** Epoch milliseconds. */
  expires_at: number;
}

/** A session as it is stored. */
export interface Session extends Link {
  /** Names the session in the log and in the Activity table. It opens nothing. */
  session_id: string;
  /** The SHA-256 of its cookie. */
  hash: string;
  /** Epoch milliseconds. */
  started_at: number;
  /** When it was last in use, to the minute. Epoch milliseconds. */
  seen_at: number;
}

/** The text of a code or a cookie: it carries 256 random bits, so a plain SHA-256 is enough as its hash. */
export const newSecretText = (): string => randomBytes(32).toString('base64url');

export const hashOf = (secretText: string): string => createHash('sha256').update(secretText).digest('hex');

export type ItemKind = 'code' | 'session';

export const itemKey = (hash: string, kind: ItemKind) => ({ pk: hash, sk: kind });

export const pointersOf = (account: string): string => `account#${account}`;

/** What the pointers of an actor begin with. Hashed, because the product may use any characters in its ids. */
export const actorPrefix = (actorId: string): string => `${hashOf(actorId)}#`;

const pointerKey = ({ account, actor }: Link, hash: string) => ({
  pk: pointersOf(account),
  sk: `${actorPrefix(actor.id)}${hash}`,
});

const secondsOf = (ms: number): number => Math.ceil(ms / 1000);

/** Puts a link or a session, and the pointer to it. */
export function putWithPointer(hash: string, kind: ItemKind, item: Link): Action[] {
  const ttl = secondsOf(item.expires_at);
  return [
    sessions.put({ ...item, ...itemKey(hash, kind), ttl }, { if: { pk: absent } }),
    sessions.put({ ...pointerKey(item, hash), hash, kind, ttl }),
  ];
}

/**
 * Deletes a link or a session, and the pointer to it. It is refused when it is gone already.
 * @param liveAt epoch milliseconds: then it is refused, too, when it has expired by then
 */
export const deleteWithPointer = (hash: string, kind: ItemKind, item: Link, liveAt = 0): Action[] => [
  sessions.delete(itemKey(hash, kind), { if: { expires_at: is('>', liveAt) } }),
  sessions.delete(pointerKey(item, hash)),
];
