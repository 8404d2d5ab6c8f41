import { isDeepStrictEqual } from 'node:util';
import { authorOf, type Who } from '../activity/author.ts';
import type { ActivityEvent, KeyState } from '../activity/entry.ts';
import type { ActivityAction } from '../contract/console/activity.ts';
import type { Scope } from '../resources/index.ts';
import type { Environment } from './format.ts';
import { type IssuedKey, type Key, rotated } from './key.ts';

/** The key with its author, and with the first revision that is recorded: a key may be older than the Activity table. */
export const recorded = (key: Key, previous: Key | undefined, who: Who): Key => ({
  ...key,
  ...(previous ? {} : { createdBy: authorOf(who) }),
  recordedFrom: key.recordedFrom ?? key.revision,
});

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

export class KeyEndedError extends Error {
  override name = 'KeyEndedError';
}

/** @throws KeyEndedError when the key was revoked */
export function assertNotRevoked({ id, revokedAt }: Key): void {
  if (revokedAt !== undefined)
    throw new KeyEndedError(`The key ${id} was revoked at ${revokedAt}. Create a new one.`);
}

/** The key with a new secret, as `rotated`. @throws KeyEndedError when the key was revoked or has expired, TooManySecretsError */
export function rotateSecret(key: Key, environment: Environment, overlapMs: number, now: Date): IssuedKey {
  assertNotRevoked(key);
  if (key.expiresAt !== undefined && Date.parse(key.expiresAt) <= now.getTime())
    throw new KeyEndedError(`The key ${key.id} expired at ${key.expiresAt}, so a new secret would not work.`);
  return rotated(key, environment, overlapMs, now);
}
