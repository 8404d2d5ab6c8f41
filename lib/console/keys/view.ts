import type { ConsoleKey } from '../../contract/console/keys.ts';
import type { Key, Secret } from '../../keys/key.ts';
import type { Scope } from '../../resources/operation.ts';
import { type KnownUse, knownUses } from '../../usage/knownUses.ts';

/** Keys as the people of their account see them. It reads how they were used. */
export async function shownKeys(keys: readonly Key[]): Promise<ConsoleKey[]> {
  const uses = await knownUses(keys);
  const now = Date.now();
  return keys.map((key) => shown(key, uses.get(key.id), now));
}

export const shownKey = async (key: Key): Promise<ConsoleKey> => (await shownKeys([key]))[0] as ConsoleKey;

/** A new key, which nobody can have used. */
export const shownNewKey = async (key: Key): Promise<ConsoleKey> => shown(key, undefined, Date.now());

function shown(key: Key, use: KnownUse | undefined, now: number): ConsoleKey {
  const live = key.secrets.filter(({ expiresAt }) => isAhead(expiresAt, now));
  return {
    id: key.id,
    name: key.name,
    display: displayOf(key.secrets[0]),
    scopes: key.access.kind === 'scoped' ? ([...key.access.scopes] as Scope[]) : [],
    full_access: key.access.kind === 'full',
    status: statusOf(key, live, now),
    secrets: live.map(({ hash, hint, expiresAt }) => ({
      hint,
      expires_at: expiresAt ?? null,
      last_used_at: use?.ofSecret(hash) ?? null,
    })),
    created_at: key.createdAt,
    created_by: key.createdBy ?? null,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
    last_used_at: use?.lastUsedAt ?? null,
    requests_24h: use?.requests24h ?? 0,
    version: key.revision,
  };
}

const isAhead = (end: string | undefined, now: number): boolean => end === undefined || Date.parse(end) > now;

function statusOf(key: Key, live: readonly Secret[], now: number): ConsoleKey['status'] {
  if (key.revokedAt !== undefined) return 'revoked';
  if (!isAhead(key.expiresAt, now)) return 'expired';
  return live.length > 1 ? 'rotating' : 'active';
}

/** `pak_live_…a9Kq`; of an older secret only its end is known. */
const displayOf = (secret: Secret | undefined): string =>
  `${secret?.environment ? `pak_${secret.environment}_` : ''}…${secret?.hint ?? ''}`;
