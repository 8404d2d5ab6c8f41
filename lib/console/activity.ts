import { listEntries } from '../activity/list.ts';
import type { ActivityEntry, ActivityQuery } from '../contract/console/activity.ts';
import { expiryNotices } from '../keys/expiryNotices.ts';
import { listKeys } from '../keys/store.ts';

/** A page of what happened in an account, or to a key of it, newest first, with the keys that end soon. */
export async function pageOfActivity(
  account: string,
  query: ActivityQuery,
): Promise<{ data: ActivityEntry[]; has_more: boolean }> {
  const { limit, before = '~', key_id: only } = query;
  const [{ data, has_more }, keys] = await Promise.all([listEntries(account, query), listKeys(account)]);
  // Notices that come after the last entry of the page belong to the next one.
  const last = (has_more && data.at(-1)?.id) || '';
  const now = new Date();
  const notices = keys
    .filter(({ id }) => only === undefined || id === only)
    .flatMap((key) => expiryNotices(key, now))
    .filter(({ id }) => id < before && id > last);
  const all = [...data, ...notices].sort((a, b) => (a.id < b.id ? 1 : -1));
  return { data: all.slice(0, limit), has_more: has_more || all.length > limit };
}
