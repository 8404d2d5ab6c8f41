import type { KeyDraft, KeyWithSecret } from '../../contract/console/keys.ts';
import type { IdempotentAnswer, IdempotentRequest } from '../../dynamodb/idempotency.ts';
import { badRequest } from '../../errors/apiError.ts';
import type { Access } from '../../keys/access.ts';
import { issue, scopedTo } from '../../keys/key.ts';
import { environmentOfStage, type KeyRequest, withSecretOnce } from './commit.ts';

/**
 * Creates a key.
 * @throws ApiError 400 when it would have ended already, 422 when the Idempotency-Key was used for another request
 */
export function createKey(
  draft: KeyDraft,
  request: KeyRequest & { once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<KeyWithSecret>> {
  const { name, expires_at } = draft;
  return withSecretOnce(request, async () => {
    const now = new Date();
    if (expires_at) assertAhead(expires_at, now);
    const access = accessOf(draft) as Access;
    const end = expires_at ? { expiresAt: expires_at } : {};
    const key = { accountId: request.account, name, access, ...end };
    return { issued: issue(key, environmentOfStage(), now) };
  });
}

/** The access that is asked for; undefined when none is. The contract excludes that both are. */
export function accessOf({
  scopes,
  full_access,
}: Pick<KeyDraft, 'scopes' | 'full_access'>): Access | undefined {
  if (full_access) return { kind: 'full' };
  return scopes && scopedTo(scopes);
}

/** @throws ApiError 400 */
export function assertAhead(end: string, now: Date): void {
  if (Date.parse(end) <= now.getTime())
    throw badRequest(['expires_at must be in the future; to end a key now, revoke it']);
}
