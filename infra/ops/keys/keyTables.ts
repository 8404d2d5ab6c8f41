import type { KeyState } from '../../../lib/activity/activityEntry.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import type { ApiKey } from '../../../lib/keys/key.ts';
import type { knownUses } from '../../../lib/usage/keyUses.ts';
import { tableOf } from '../textTable.ts';

type Uses = Awaited<ReturnType<typeof knownUses>>;

/** Returns a key as JSON, with the names that the API uses. */
export const view = (key: ApiKey, uses?: Uses) => ({
  key_id: key.id,
  account: key.accountId,
  name: key.name,
  scopes: key.access.kind === 'scoped' ? key.access.scopes : [],
  full_access: key.access.kind === 'full',
  hint: key.secrets[0]?.hint ?? null,
  created_at: key.createdAt,
  expires_at: key.expiresAt ?? null,
  revoked_at: key.revokedAt ?? null,
  last_used_at: uses?.get(key.id)?.lastUsedAt ?? null,
  secrets: key.secrets.map(({ hint, expiresAt }) => ({ hint, expires_at: expiresAt ?? null })),
});

const endText = (time: string): string => `${Date.parse(time) <= Date.now() ? 'expired' : 'until'} ${time}`;

const stateOf = ({ revokedAt, expiresAt }: ApiKey): string =>
  revokedAt ? `revoked ${revokedAt}` : expiresAt ? endText(expiresAt) : 'live';

/** The secrets of a revoked key have ended with it. */
const secretsOf = ({ secrets, revokedAt }: ApiKey): string =>
  secrets
    .map(({ hint, expiresAt }) => `…${hint}${expiresAt && !revokedAt ? ` ${endText(expiresAt)}` : ''}`)
    .join(', ');

const accessText = (fullAccess: boolean, scopes: readonly string[]): string =>
  fullAccess ? 'full access' : scopes.join(' ');

export const keysTable = (keys: readonly ApiKey[], uses: Uses): string =>
  keys.length === 0
    ? 'There are no keys.'
    : tableOf(keys, {
        'KEY ID': ({ id }) => id,
        ACCOUNT: ({ accountId }) => accountId,
        NAME: ({ name }) => name,
        SECRETS: secretsOf,
        STATE: stateOf,
        'LAST USED': ({ id }) => uses.get(id)?.lastUsedAt ?? '-',
        ACCESS: (key) => accessText(view(key).full_access, view(key).scopes),
      });

const stateText = (state: KeyState): string =>
  [
    JSON.stringify(state.name),
    accessText(state.full_access, state.scopes),
    `expires ${state.expires_at ?? 'never'}`,
    `secrets ${state.hints.map((hint) => `…${hint}`).join(' ')}`,
  ].join(', ');

export const historyTable = (history: readonly ActivityEntry[]): string =>
  history.length === 0
    ? 'No change is recorded.'
    : tableOf(history, {
        TIME: ({ at }) => at,
        CHANGE: ({ action }) => action,
        KIND: ({ author }) => author.kind,
        AUTHOR: ({ author }) => author.name,
        'THE KEY AFTER IT': ({ after }) => (after ? stateText(after) : '-'),
      });
