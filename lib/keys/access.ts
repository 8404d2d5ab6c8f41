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

/** Returns the name of a secret: the beginning of its SHA-256 in hexadecimal. */
export const secretName = (hash: string): string => hash.slice(0, 8);

// The authorizer passes what a key grants to the functions as a context. API Gateway passes only strings. AWS does not document how it passes an
// empty string, so special words stand for missing values.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html

const noScopes = 'none';

/** The value of `expires_at` for a key that does not expire. */
const noEnd = 'never';

/** Returns the context of a request. @param hash of the secret in the request, whose name the access log shows */
export const contextOf = ({ accountId, keyId, access, expiresAt }: Grant, hash: string) => ({
  account_id: accountId,
  key_id: keyId,
  secret: secretName(hash),
  access: access.kind,
  scopes: access.kind === 'scoped' ? access.scopes.join(' ') : noScopes,
  // The gateway's cache may outlive the key, so the endpoint checks the expiry again.
  expires_at: expiresAt ?? noEnd,
});

/** Returns the caller from the context of a request. @throws Error if the context is not one of `contextOf` */
export function callerOf(context: Record<string, unknown> | null | undefined) {
  const { account_id: account, key_id: keyId, access, scopes } = context ?? {};
  if (!isAccount(account) || typeof keyId !== 'string' || keyId === '')
    throw new Error('The context of the authorizer has no account or no key id');
  return { account, keyId, access: accessIn(access, scopes) };
}

/** Full access is an explicit word. Missing scopes never grant it. */
function accessIn(access: unknown, scopes: unknown): Access {
  if (access === 'full') return { kind: 'full' };
  if (access === 'scoped' && typeof scopes === 'string' && scopes.trim() !== '' && scopes !== noScopes)
    return { kind: 'scoped', scopes: scopes.trim().split(/ +/) };
  throw new Error('The context of the authorizer has no valid access');
}

/** Returns whether the key has expired since the authorizer's decision. */
export function hasExpired(expiresAt: unknown): boolean {
  if (expiresAt === noEnd) return false;
  const moment = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(moment)) throw new Error('The context of the authorizer has no valid expires_at');
  return moment <= Date.now();
}
