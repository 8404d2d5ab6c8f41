import { listEntries } from '../activity/listActivity.ts';
import type { ActivityEntry, ActivityQuery } from '../contract/console/activity.ts';
import { type ConsoleKey, historyMax, type KeyWithHistory } from '../contract/console/consoleKeys.ts';
import { notFound } from '../errors/apiError.ts';
import { shownAccess } from '../keys/access.ts';
import { type ApiKey, isAtWork, type Secret } from '../keys/key.ts';
import { keyHistory } from '../keys/keyHistory.ts';
import { expiryNotices } from '../keys/recordedKeyChange.ts';
import { readKey, readKeysOf } from '../keys/storedKeys.ts';
import type { PageQuery } from '../schemas/lists.ts';
import { type KnownUse, knownUses } from '../usage/keyUses.ts';
import { subscriptionsOf } from '../webhooks/model/subscriptions.ts';

/** Returns the keys of an account, newest first. They come from an index, which may miss a key of the last second. */
export async function pageOfKeys(
  account: string,
  { limit, offset }: PageQuery,
): Promise<{ data: ConsoleKey[]; pagination: PageQuery & { total: number } }> {
  const keys = (await readKeysOf(account)).reverse();
  const data = await shownKeys(keys.slice(offset, offset + limit));
  return { data, pagination: { limit, offset, total: keys.length } };
}

/** Checked before a read, because the id is a primary key and must not reach items of another kind. */
const keyIdShape = /^key_[0-9a-z]{1,64}$/;

/** Returns a key of an account. @throws ApiError 404, the same for a key that does not exist and for a key of another account */
export async function keyOfAccount(account: string, id: string): Promise<ApiKey> {
  const key = keyIdShape.test(id) ? await readKey(id) : undefined;
  if (key?.accountId !== account) throw notFound('API key', id);
  return key;
}

/** Returns a key with its newest changes, and the webhook subscriptions that it created or changed. @throws ApiError 404 */
export async function showKeyWithHistory(account: string, id: string): Promise<KeyWithHistory> {
  const key = await keyOfAccount(account, id);
  const [view, { history, missing }, subscriptions] = await Promise.all([
    shownKey(key),
    keyHistory(key),
    subscriptionsOf(account, id),
  ]);
  return {
    ...view,
    history: history.slice(0, historyMax),
    changes_recorded: key.revision - missing,
    subscriptions: subscriptions.map(({ id, host, status }) => ({ id, host, status })),
  };
}

/** Returns keys as the people of their account see them. It also reads when and how often they were used. */
export async function shownKeys(keys: readonly ApiKey[]): Promise<ConsoleKey[]> {
  const uses = await knownUses(keys);
  const now = Date.now();
  return keys.map((key) => shown(key, uses.get(key.id), now));
}

export const shownKey = async (key: ApiKey): Promise<ConsoleKey> => (await shownKeys([key]))[0] as ConsoleKey;

export const shownNewKey = async (key: ApiKey): Promise<ConsoleKey> => shown(key, undefined, Date.now());

function shown(key: ApiKey, use: KnownUse | undefined, now: number): ConsoleKey {
  const live = key.secrets.filter((secret) => isAtWork(secret, now));
  return {
    id: key.id,
    name: key.name,
    display: displayOf(key.secrets[0] as Secret),
    ...shownAccess(key.access),
    status: statusOf(key, live, now),
    secrets: live.map(({ hash, hint, expiresAt }) => ({
      hint,
      expires_at: expiresAt ?? null,
      last_used_at: use?.ofSecret(hash) ?? null,
    })),
    created_at: key.createdAt,
    created_by: key.createdBy ?? null,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
    last_used_at: use?.lastUsedAt ?? null,
    requests_24h: use?.requests24h ?? 0,
    failed_24h: use?.failed24h ?? 0,
    version: key.revision,
  };
}

function statusOf(key: ApiKey, live: readonly Secret[], now: number): ConsoleKey['status'] {
  if (key.revokedAt !== undefined) return 'revoked';
  if (!isAtWork(key, now)) return 'expired';
  return live.length > 1 ? 'rotating' : 'active';
}

/** Returns `pak_live_…a9Kq`. Only the end of an older secret is known. */
const displayOf = ({ environment, hint }: Secret): string => `pak_${environment}_…${hint}`;

/** Returns a page of the activity of an account or of one of its keys, newest first, with the keys that end soon. */
export async function pageOfActivity(
  account: string,
  query: ActivityQuery,
): Promise<{ data: ActivityEntry[]; has_more: boolean }> {
  const { limit, before = '~', key_id: only, subscription_id, author_id } = query;
  const [{ data, has_more }, keys] = await Promise.all([listEntries(account, query), readKeysOf(account)]);
  // Notices after the last entry of this page belong to the next page.
  const last = (has_more && data.at(-1)?.id) || '';
  const now = new Date();
  const isOfKeys = subscription_id === undefined && author_id === undefined;
  const notices = keys
    .filter(({ id }) => isOfKeys && (only === undefined || id === only))
    .flatMap((key) => expiryNotices(key, now))
    .filter(({ id }) => id < before && id > last);
  const all = [...data, ...notices].sort((a, b) => (a.id < b.id ? 1 : -1));
  return { data: all.slice(0, limit), has_more: has_more || all.length > limit };
}
