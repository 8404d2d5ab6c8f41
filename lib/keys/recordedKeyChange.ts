import { isDeepStrictEqual } from 'node:util';
import type { ActivityEvent, KeyState } from '../activity/activityEntry.ts';
import { authorOf, type Who } from '../activity/author.ts';
import type { ActivityAction } from '../contract/console/activity.ts';
import { shownAccess } from './access.ts';
import { type ApiKey, isAtWork } from './key.ts';

/** Returns the key with its author and its first recorded revision, because a key may be older than the Activity table. */
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

export const stateOf = ({ name, access, expiresAt, secrets }: ApiKey, at: Date): KeyState => ({
  name,
  ...shownAccess(access),
  expires_at: expiresAt ?? null,
  hints: secrets.filter((secret) => isAtWork(secret, at.getTime())).map(({ hint }) => hint),
});
