import { isDeepStrictEqual } from 'node:util';
import { authorOf, type Who } from '../activity/author.ts';
import type { ActivityEvent, KeyState } from '../activity/entry.ts';
import type { ActivityAction } from '../contract/console/activity.ts';
import type { Scope } from '../resources/index.ts';
import type { Key } from './key.ts';

/** The key with its author, and with the first revision that is recorded: a key may be older than the Activity table. */
export const recorded = (key: Key, previous: Key | undefined, who: Who): Key => ({
  ...key,
  ...(previous ? {} : { createdBy: authorOf(who) }),
  recordedFrom: key.recordedFrom ?? key.revision,
});

/** What the entry of a change says. */
export const changeOf = (key: Key, previous: Key | undefined, at: Date): ActivityEvent => ({
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

function actionOf(key: Key, previous: Key): ActivityAction {
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

export const stateOf = ({ name, access, expiresAt, secrets }: Key, at: Date): KeyState => ({
  name,
  scopes: access.kind === 'scoped' ? ([...access.scopes] as Scope[]) : [],
  full_access: access.kind === 'full',
  expires_at: expiresAt ?? null,
  hints: secrets.filter((secret) => isLive(secret, at)).map(({ hint }) => hint),
});

const isLive = (secret: Key['secrets'][number], at: Date): boolean =>
  secret.expiresAt === undefined || Date.parse(secret.expiresAt) > at.getTime();
