import type { KeyState } from '../../../lib/activity/entry.ts';
import type { ActivityEntry } from '../../../lib/contract/console/activity.ts';
import type { IssuedKey, Key, Secret } from '../../../lib/keys/key.ts';
import { subscriptionsOf } from '../../../lib/webhooks/model/readSubscriptions.ts';
import { columns, type Field, fields } from '../columns.ts';
import { changeAll, type FoundSubscription, table } from '../webhooks/subscriptions.ts';

const scopesOf = ({ access }: Key): readonly string[] => (access.kind === 'scoped' ? access.scopes : []);
const accessText = (key: Key): string =>
  key.access.kind === 'full' ? 'full access' : scopesOf(key).join(' ');

/** A key as JSON, under the names that the API uses for it. */
export const view = (key: Key, lastUsedAt?: string) => ({
  key_id: key.id,
  account: key.accountId,
  name: key.name,
  scopes: scopesOf(key),
  full_access: key.access.kind === 'full',
  hint: key.secrets[0]?.hint ?? null,
  created_at: key.createdAt,
  expires_at: key.expiresAt ?? null,
  revoked_at: key.revokedAt ?? null,
  last_used_at: lastUsedAt ?? null,
  secrets: key.secrets.map(({ hint, expiresAt }) => ({ hint, expires_at: expiresAt ?? null })),
});

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
const endText = (time: string): string => `${isPast(time) ? 'expired' : 'until'} ${time}`;

const stateOf = ({ revokedAt, expiresAt }: Key): string =>
  revokedAt ? 'revoked' : expiresAt ? endText(expiresAt) : 'live';

const expiryOf = ({ expiresAt }: Key): Field =>
  expiresAt && isPast(expiresAt) ? ['Expired', expiresAt] : ['Expires', expiresAt ?? 'never'];

const secretText = ({ hint, expiresAt }: Secret): string =>
  `…${hint}${expiresAt ? ` ${endText(expiresAt)}` : ''}`;

/** A revoked key has no end in the future, and neither have its secrets. */
const endOf = (key: Key): Field[] =>
  key.revokedAt
    ? [['Revoked', key.revokedAt], ...key.secrets.map(({ hint }): Field => ['Secret', `…${hint}`])]
    : [expiryOf(key), ...key.secrets.map((secret): Field => ['Secret', secretText(secret)])];

/** How the commands show keys to a person: as tables, and additional facts as sentences. */
export const asText = {
  issued: ({ key, text }: IssuedKey, _lastUsedAt?: string, _more?: object): string =>
    [
      text,
      '',
      'This is the only time the key is shown: only its hash is kept.',
      fields([
        ['Key id', key.id],
        ['Account', key.accountId],
        ['Name', key.name],
        ['May', accessText(key)],
        expiryOf(key),
        ...key.secrets.slice(1).map((secret): Field => ['Old secret', secretText(secret)]),
      ]),
    ].join('\n'),

  one: (key: Key, lastUsedAt?: string, _more?: object): string =>
    fields([
      ['Key id', key.id],
      ['Account', key.accountId],
      ['Name', key.name],
      ['May', accessText(key)],
      ['Created', key.createdAt],
      ['Last used', lastUsedAt ?? 'never, or not noted yet'],
      ...endOf(key),
    ]),

  many: (keys: readonly Key[], lastUses: ReadonlyMap<string, string>): string =>
    keys.length === 0
      ? 'There are no keys.'
      : columns([
          ['KEY ID', 'ACCOUNT', 'NAME', 'HINT', 'STATE', 'LAST USED', 'MAY'],
          ...keys.map((key) => [
            key.id,
            key.accountId,
            key.name,
            `…${key.secrets[0]?.hint}`,
            stateOf(key),
            lastUses.get(key.id) ?? '-',
            accessText(key),
          ]),
        ]),
};

/** How the commands show keys to a program. */
export const asJson: typeof asText = {
  issued: ({ key, text }, lastUsedAt, more) =>
    JSON.stringify({ ...view(key, lastUsedAt), key: text, ...more }),
  one: (key, lastUsedAt, more) => JSON.stringify({ ...view(key, lastUsedAt), ...more }),
  many: (keys, lastUses) => JSON.stringify(keys.map((key) => view(key, lastUses.get(key.id)))),
};

const scopesText = ({ scopes, full_access }: KeyState): string =>
  full_access ? 'full access' : scopes.join(' ');

const stateText = (state: KeyState): string =>
  [
    JSON.stringify(state.name),
    scopesText(state),
    `expires ${state.expires_at ?? 'never'}`,
    `secrets ${state.hints.map((hint) => `…${hint}`).join(' ')}`,
  ].join(', ');

/** The state that a change made. The state before it is that of the row below. */
const rowOf = ({ at, action, author, after }: ActivityEntry): string[] => [
  at,
  action,
  author.kind,
  author.name,
  after ? stateText(after) : '-',
];

/** The changes of a key as a table, newest first. */
export const historyText = (history: readonly ActivityEntry[]): string =>
  history.length === 0
    ? 'No change is recorded.'
    : columns([['TIME', 'CHANGE', 'KIND', 'AUTHOR', 'THE KEY AFTER IT'], ...history.map(rowOf)]);

/** A warning for changes without an entry. */
export const notRecorded = ({ id, revision }: Key, missing: number): string =>
  `The key ${id} was changed outside these commands: ${missing} of its ${revision} changes ${missing === 1 ? 'is' : 'are'} not recorded.`;

/** The subscriptions that keys have made or changed. They outlive them. */
export async function leftBehindBy(
  keys: readonly Pick<Key, 'id' | 'accountId'>[],
  { pause }: { pause: boolean },
): Promise<FoundSubscription[]> {
  const found: FoundSubscription[] = [];
  for (const { id, accountId: account } of keys)
    for (const subscription of await subscriptionsOf(account, id)) found.push({ account, subscription });
  return pause ? changeAll('pause', found, { dryRun: false }) : found;
}

/** The same as text for a person. */
export function wordsFor(found: readonly FoundSubscription[]): string {
  if (found.length === 0) return 'No webhook subscription was made or changed with it.';
  const active = found.filter(({ subscription }) => subscription.status === 'active').length;
  return [
    'Webhook subscriptions that were made or changed with it:',
    table(found),
    active === 0
      ? 'Nothing is sent to any of them.'
      : `${active} of them ${active === 1 ? 'is' : 'are'} still sent to: --pause-subscriptions pauses them.`,
  ].join('\n');
}
