import type { IssuedKey, Key, Secret } from '../../../lib/keys/key.ts';
import { columns, type Field, fields } from '../columns.ts';

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
