import { activityKeptMs, numberOf } from '../activity/activityEntry.ts';
import { historyOf } from '../activity/listActivity.ts';
import type { Me } from '../contract/me.ts';
import { unauthorized } from '../errors/apiError.ts';
import { grantOf, shownAccess } from './access.ts';
import { keyHintOf } from './format.ts';
import type { ApiKey } from './key.ts';
import { findSecret } from './storedKeys.ts';

/**
 * Returns the recorded changes of a key, newest first, and how many records are missing. Every revision has an entry, unless it is older than
 * the Activity table or its entry has expired. A missing entry means that somebody changed the key in the table directly.
 * @param key as it was read before this call; otherwise, a later change would seem to be missing
 */
export async function keyHistory(key: ApiKey) {
  const history = (await historyOf(key.accountId, key.id)).filter((entry) => numberOf(entry) <= key.revision);
  const numbers = new Set(history.map(numberOf));
  const first = firstExpected(key, numbers);
  let missing = 0;
  for (let number = first; number <= key.revision; number++) if (!numbers.has(number)) missing += 1;
  return { history, missing };
}

/** Returns the first revision that must have an entry. The earliest entries of an older key may have expired. */
const firstExpected = ({ createdAt, revision }: ApiKey, numbers: ReadonlySet<number>): number =>
  Date.parse(createdAt) + activityKeptMs() > Date.now() ? 1 : Math.min(revision + 1, ...numbers);

/**
 * Describes the key of a request. During a rotation, the hint and the expiry are those of the secret in the request.
 * @throws ApiError 401 if the key is no longer valid, but still in the gateway's cache
 */
export async function describeKey(key: string): Promise<Me> {
  const item = await findSecret(key);
  const grant = item && grantOf(item, new Date());
  if (!grant) throw unauthorized();
  return {
    key_id: grant.keyId,
    name: item.name as string,
    hint: keyHintOf(key),
    ...shownAccess(grant.access),
    account: grant.accountId,
    created_at: (item.created_at as string | undefined) ?? null,
    expires_at: grant.expiresAt ?? null,
  };
}
