import type { Scope } from '../resources/index.ts';
import { isAccount } from '../schemas/account.ts';

/** The access of a key: everything, or only its scopes. There is no third form, and no empty list of scopes. */
export type Access = { kind: 'full' } | { kind: 'scoped'; scopes: readonly string[] };

export interface Grant {
  accountId: string;
  keyId: string;
  access: Access;
  /** When the key expires, RFC 3339 UTC; undefined for never. */
  expiresAt: string | undefined;
}

/** A stored item has an invalid shape. It grants nothing. Because this is a bug of ours, it causes a 500 and a log line, and never a 401. */
export class KeyRecordError extends Error {
  override name = 'KeyRecordError';
}

const scopeShape = /^[a-z-]+:[a-z]+$/;

/**
 * Returns the access of a stored key. The key has full access only if the attribute is absent or an empty list (docs/operations.md, "Keys").
 * Every other shape is an error, such as a set whose last element was deleted, a string, null, or a list with an empty word.
 * @throws KeyRecordError
 */
export function accessOf(scopes: unknown): Access {
  if (scopes === undefined) return { kind: 'full' };
  if (!Array.isArray(scopes)) throw new KeyRecordError('The stored scopes are not a list');
  if (scopes.length === 0) return { kind: 'full' };
  if (!scopes.every((scope) => typeof scope === 'string' && scopeShape.test(scope)))
    throw new KeyRecordError('The stored scopes are not all of the form area:verb');
  return { kind: 'scoped', scopes };
}

/** How a secret ended: with its key, or because the key got a new secret. */
export type Ended = 'revoked' | 'expired' | 'replaced';

/** Returns how a stored secret had ended by a given time; undefined while it works. @throws KeyRecordError */
export function endedBy(item: Record<string, unknown>, now: Date): Ended | undefined {
  const isPast = (end: unknown) => end !== undefined && momentOf(end) <= now.getTime();
  if (item.revoked_at !== undefined) return 'revoked';
  if (isPast(item.expires_at)) return 'expired';
  return isPast(item.secret_expires_at) ? 'replaced' : undefined;
}

/** Returns what a stored secret grants at a given time; undefined if it has ended. @throws KeyRecordError */
export function grantOf(item: Record<string, unknown>, now: Date): Grant | undefined {
  const { account_id: accountId, key_id: keyId } = item;
  // Other systems of the product also write keys. An account that contains a separator would reach the items of another account.
  if (!isAccount(accountId)) throw new KeyRecordError('A stored key has no valid account');
  if (typeof keyId !== 'string' || !keyId) throw new KeyRecordError('A stored key has no id');
  if (endedBy(item, now) !== undefined) return undefined;
  // The end of the key, and the end of a secret that was rotated out.
  const ends = [item.expires_at, item.secret_expires_at].filter((end) => end !== undefined).map(momentOf);
  const expiresAt = ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : undefined;
  return { accountId, keyId, access: accessOf(item.scopes), expiresAt };
}

function momentOf(time: unknown): number {
  const moment = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(moment)) throw new KeyRecordError('A stored key has an expiry that is not a time');
  return moment;
}

/** Returns the access as responses show it. */
export const shownAccess = (access: Access): { scopes: Scope[]; full_access: boolean } => ({
  scopes: access.kind === 'scoped' ? ([...access.scopes] as Scope[]) : [],
  full_access: access.kind === 'full',
});

/**
 * Returns whether an access allows an operation with this scope, or with one of these scopes. `null` is for operations that any valid key may
 * use.
 */
export const allows = (access: Access, scope: string | readonly string[] | null): boolean =>
  scope === null || access.kind === 'full' || [scope].flat().some((one) => access.scopes.includes(one));
