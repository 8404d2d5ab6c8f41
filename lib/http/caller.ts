import { unauthorized } from '../errors/apiError.ts';
import type { Access } from '../keys/access.ts';
import { addLogContext } from '../logs/log.ts';
import { isAccount } from '../values/account.ts';
import { noEnd, noScopes } from './authorizer/authorizerContext.ts';
import type { Caller, Middleware } from './event.ts';
import { apiKeysOf } from './headers.ts';

/**
 * Adds `caller`, from the authorizer's context alone. A missing or unknown context ends the request: it means that a route was
 * deployed without its authorizer, and such a mistake must not open the API.
 * @throws ApiError 401 when the request carries two keys, because the gateway's cache may use only one of them, or a key that
 *   has expired since the authorizer's decision
 */
export const caller = (): Middleware => ({
  before: function callerBefore({ event }) {
    if (apiKeysOf(event.multiValueHeaders).length > 1) throw unauthorized();
    const context = event.requestContext?.authorizer;
    event.caller = callerOf(context);
    if (hasExpired(context?.expires_at)) throw unauthorized();
    addLogContext({ key_id: event.caller.keyId, account: event.caller.account });
  },
});

function callerOf(context: Record<string, unknown> | null | undefined): Caller {
  const { account_id: account, key_id: keyId, access, scopes } = context ?? {};
  if (!isAccount(account) || typeof keyId !== 'string' || keyId === '')
    throw new Error('The context of the authorizer has no account or no key id');
  return { account, keyId, access: accessOf(access, scopes) };
}

/** Full access is an explicit word, never the absence of scopes. */
function accessOf(access: unknown, scopes: unknown): Access {
  if (access === 'full') return { kind: 'full' };
  if (access === 'scoped' && typeof scopes === 'string' && scopes.trim() !== '' && scopes !== noScopes)
    return { kind: 'scoped', scopes: scopes.trim().split(/ +/) };
  throw new Error('The context of the authorizer has no valid access');
}

function hasExpired(expiresAt: unknown): boolean {
  if (expiresAt === noEnd) return false;
  const moment = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(moment)) throw new Error('The context of the authorizer has no valid expires_at');
  return moment <= Date.now();
}
