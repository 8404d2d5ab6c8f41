import type { ConsoleKey, listKeys } from '../../../lib/contract/console/consoleKeys.ts';
import { call } from './call.ts';
import { liveSession } from './sessionState.ts';

/** A list is read from an index, which lacks changes of the last second. */
const behindMs = 60_000;

const changed = new Map<string, { account: string; key: ConsoleKey; at: number }>();

/** Keeps a key as an answer had it, until every list has it. */
export function keepRecent(key: ConsoleKey): ConsoleKey {
  changed.set(key.id, { account: liveSession().account, key, at: Date.now() });
  return key;
}

/** The keys of a list, with what was changed since. */
function withRecent(listed: readonly ConsoleKey[]): ConsoleKey[] {
  const keys = new Map(listed.map((key) => [key.id, key]));
  for (const { account, key, at } of changed.values()) {
    const isNewer = key.version > (keys.get(key.id)?.version ?? 0);
    if (account === liveSession().account && Date.now() - at < behindMs && isNewer) keys.set(key.id, key);
  }
  return [...keys.values()].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

const limit = 100;

/** All keys of the account, newest first. @param session before the page knows which one this browser has */
export async function readKeys(session?: string): Promise<ConsoleKey[]> {
  const keys: ConsoleKey[] = [];
  for (;;) {
    const query = { limit, offset: keys.length };
    const { data, pagination } = await call<typeof listKeys>('GET', '/api/keys', {
      query,
      ...(session === undefined ? {} : { session }),
    });
    keys.push(...data);
    if (data.length === 0 || keys.length >= pagination.total) break;
  }
  return withRecent(keys);
}
