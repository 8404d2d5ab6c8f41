import { isDeepStrictEqual } from 'node:util';
import { type ActivityEvent, type KeyState, shownEntry } from '../activity/activityEntry.ts';
import { authorOf, type Who } from '../activity/author.ts';
import type { ActivityAction, ActivityEntry } from '../contract/console/activity.ts';
import { shownAccess } from './access.ts';
import { type ApiKey, isAtWork } from './key.ts';

/** Returns the key, with its author if it is new. */
export const recorded = (key: ApiKey, previous: ApiKey | undefined, who: Who): ApiKey =>
  previous ? key : { ...key, createdBy: authorOf(who) };

export const changeOf = (key: ApiKey, previous: ApiKey | undefined, at: Date): ActivityEvent => ({
  action: previous ? actionOf(key, previous) : 'key.created',
  at,
  subject: key.id,
  number: key.revision,
  key: {
    id: key.id,
    ...(previous ? { before: stateOf(previous, at) } : {}),
    after: stateOf(key, at),
  },
});

function actionOf(key: ApiKey, previous: ApiKey): ActivityAction {
  const kinds: [ActivityAction, boolean][] = [
    ['key.renamed', key.name !== previous.name],
    ['key.access_changed', !isDeepStrictEqual(key.access, previous.access)],
    ['key.expiry_changed', key.expiresAt !== previous.expiresAt],
    ['key.rotated', key.secrets[0]?.hash !== previous.secrets[0]?.hash],
    ['key.revoked', key.revokedAt !== previous.revokedAt],
  ];
  const [only, another] = kinds.filter(([, isChanged]) => isChanged).map(([action]) => action);
  return only === undefined || another !== undefined ? 'key.changed' : only;
}

const stateOf = ({ name, access, expiresAt, secrets }: ApiKey, at: Date): KeyState => ({
  name,
  ...shownAccess(access),
  expires_at: expiresAt ?? null,
  hints: secrets.filter((secret) => isAtWork(secret, at.getTime())).map(({ hint }) => hint),
});

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
