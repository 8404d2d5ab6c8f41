import type { Me } from '../contract/me.ts';
import { unauthorized } from '../errors/apiError.ts';
import type { Scope } from '../resources/index.ts';
import { grantOf } from './access.ts';
import { hintOf } from './format.ts';
import { findSecret } from './lookup.ts';

/**
 * Describes the key of a request. During a rotation, the hint and the expiry are those of the secret in the request.
 * @throws ApiError 401 when the key is no longer valid, but still in the gateway's cache
 */
export async function describeKey(key: string, now = new Date()): Promise<Me> {
  const item = await findSecret(key);
  const grant = item && grantOf(item, now);
  if (!grant) throw unauthorized();
  const { access } = grant;
  return {
    key_id: grant.keyId,
    name: item.name as string,
    hint: hintOf(key),
    scopes: access.kind === 'scoped' ? ([...access.scopes] as Scope[]) : [],
    full_access: access.kind === 'full',
    account: grant.accountId,
    created_at: (item.created_at as string | undefined) ?? null,
    expires_at: grant.expiresAt ?? null,
  };
}
