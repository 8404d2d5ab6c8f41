import type { Issued, Key, Secret } from '../../lib/keys/key.ts';

const scopesOf = ({ access }: Key): readonly string[] => (access.kind === 'scoped' ? access.scopes : []);
const accessText = (key: Key): string =>
  key.access.kind === 'full' ? 'full access' : scopesOf(key).join(' ');

/** A key as JSON, under the names that the API uses for it. */
const view = (key: Key, lastUsedAt?: string) => ({
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

type Field = [name: string, value: string];

const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
const endText = (time: string): string => `${isPast(time) ? 'expired' : 'until'} ${time}`;

const stateOf = ({ revokedAt, expiresAt }: Key): string =>
  revokedAt ? 'revoked' : expiresAt ? endText(expiresAt) : 'live';

const expiryOf = ({ expiresAt }: Key): Field =>
  expiresAt && isPast(expiresAt) ? ['Expired', expiresAt] : ['Expires', expiresAt ?? 'never'];

const secretText = ({ hint, expiresAt }: Secret): string =>
  `…${hint}${expiresAt ? ` ${endText(expiresAt)}` : ''}`;

/** How the commands show keys: to a person. */
export const asText = {
  issued: ({ key, text }: Issued): string =>
    [
      text,
      '',
      'This is the only time the key is shown: only its hash is kept.',
      ...fields([
        ['Key id', key.id],
        ['Account', key.accountId],
        ['Name', key.name],
        ['May', accessText(key)],
        expiryOf(key),
        ...key.secrets.slice(1).map((secret): Field => ['Old secret', secretText(secret)]),
      ]),
    ].join('\n'),

  one: (key: Key, lastUsedAt?: string): string =>
    fields([
      ['Key id', key.id],
      ['Account', key.accountId],
      ['Name', key.name],
      ['May', accessText(key)],
      ['Created', key.createdAt],
      expiryOf(key),
      ['Revoked', key.revokedAt ?? 'no'],
      ['Last used', lastUsedAt ?? 'never, or not noted yet'],
      ...key.secrets.map((secret): Field => ['Secret', secretText(secret)]),
    ]).join('\n'),

  many: (keys: readonly Key[]): string =>
    keys.length === 0
      ? 'There are no keys.'
      : columns([
          ['KEY ID', 'ACCOUNT', 'NAME', 'HINT', 'STATE', 'MAY'],
          ...keys.map((key) => [
            key.id,
            key.accountId,
            key.name,
            `…${key.secrets[0]?.hint}`,
            stateOf(key),
            accessText(key),
          ]),
        ]),
};

/** How the commands show keys: to a program. */
export const asJson: typeof asText = {
  issued: ({ key, text }) => JSON.stringify({ ...view(key), key: text }),
  one: (key, lastUsedAt) => JSON.stringify(view(key, lastUsedAt)),
  many: (keys) => JSON.stringify(keys.map((key) => view(key))),
};

const fields = (pairs: Field[]): string[] => pairs.map(([name, value]) => `${name.padEnd(12)}${value}`);

function columns(rows: string[][]): string {
  const widths = (rows[0] as string[]).map((_, i) =>
    Math.max(...rows.map((row) => (row[i] as string).length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
