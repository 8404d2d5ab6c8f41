import { shownEntry } from '../activity/activityEntry.ts';
import type { ActivityEntry } from '../contract/console/activity.ts';
import type { ApiKey } from './key.ts';
import { stateOf } from './recordedKeyChange.ts';

/** How many days before its end a key announces that end. */
const noticeDays = [30, 7];

const dayMs = 24 * 3_600_000;

/**
 * Returns the entries that announce the end of a key, each at its time. They follow from the key, so nothing is stored and no job has to look
 * through all keys every day. No entry is older than the key or later than its revocation.
 */
export function expiryNotices(key: ApiKey, now: Date): ActivityEntry[] {
  const { expiresAt, createdAt, revokedAt = '~' } = key;
  if (expiresAt === undefined) return [];
  return noticeDays.flatMap((days) => {
    const at = new Date(Date.parse(expiresAt) - days * dayMs);
    const time = at.toISOString();
    if (at > now || time < createdAt || time > revokedAt) return [];
    return shownEntry({
      pk: key.accountId,
      sk: `${time}#${key.id}#expires-in-${days}-days`,
      action: 'key.expires_soon',
      author: { kind: 'system', id: 'system', name: 'This API' },
      key_id: key.id,
      key_name: key.name,
      after: stateOf(key, at),
      ttl: 0,
    });
  });
}
