import { type ConsoleKey, historyMax, type KeyWithHistory } from '../../contract/console/keys.ts';
import { notFound } from '../../errors/apiError.ts';
import { keyHistory } from '../../keys/history.ts';
import type { Key } from '../../keys/key.ts';
import { listKeys, readKey } from '../../keys/store.ts';
import type { PageQuery } from '../../values/lists.ts';
import { subscriptionsOf } from '../../webhooks/model/readSubscriptions.ts';
import { shownKey, shownKeys } from './view.ts';

/** The keys of an account, newest first. They are read from an index, so a key of the last second may be missing. */
export async function pageOfKeys(
  account: string,
  { limit, offset }: PageQuery,
): Promise<{ data: ConsoleKey[]; pagination: PageQuery & { total: number } }> {
  const keys = (await listKeys(account)).reverse();
  const data = await shownKeys(keys.slice(offset, offset + limit));
  return { data, pagination: { limit, offset, total: keys.length } };
}

/** Checked before a read: the id is the key of an item, and must not reach items of another kind. */
const keyIdShape = /^key_[0-9a-z]{1,64}$/;

/** @throws ApiError 404, the same for a key that does not exist and for one of another account */
export async function keyOfAccount(account: string, id: string): Promise<Key> {
  const key = keyIdShape.test(id) ? await readKey(id) : undefined;
  if (key?.accountId !== account) throw notFound('API key', id);
  return key;
}

/** A key with the newest changes of it, and the webhook subscriptions that it has made or changed. @throws ApiError 404 */
export async function keyWithHistory(account: string, id: string): Promise<KeyWithHistory> {
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
