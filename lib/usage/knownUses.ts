import { fewAtOnce } from '../fewAtOnce.ts';
import type { Key } from '../keys/key.ts';
import { lastUseOf, secretUses } from '../keys/store.ts';
import { secretName } from './keys.ts';
import { type KeyUse, keyUses } from './keyUses.ts';

/** How a key was used. Times are RFC 3339 UTC. */
export interface KnownUse {
  requests24h: number;
  /** Undefined when it was never used. */
  lastUsedAt: string | undefined;
  /** When a secret was last used, by its SHA-256. */
  ofSecret(hash: string): string | undefined;
}

/** How keys were used, by their ids: by the access log, and by what the authorizers of older releases have noted. */
export async function knownUses(keys: readonly Key[]): Promise<Map<string, KnownUse>> {
  const byAccount = Map.groupBy(keys, ({ accountId }) => accountId);
  // An operator lists the keys of all accounts: their reads together would be more than there are connections.
  const [noted, counted] = await Promise.all([
    secretUses(keys),
    fewAtOnce([...byAccount], ([account, some]) =>
      keyUses(
        account,
        some.map(({ id }) => id),
      ),
    ),
  ]);
  const byId = new Map(counted.flatMap((uses) => [...uses]));
  return new Map(keys.map((key) => [key.id, known(key, noted, byId.get(key.id))]));
}

function known(key: Key, noted: ReadonlyMap<string, string>, use: KeyUse | undefined): KnownUse {
  return {
    requests24h: use?.requests24h ?? 0,
    lastUsedAt: later(lastUseOf(key, noted), ...(use?.lastUses.values() ?? [])),
    ofSecret: (hash) => later(noted.get(hash), use?.lastUses.get(secretName(hash))),
  };
}

/** Times of this form sort as text. */
const later = (...times: (string | undefined)[]): string | undefined =>
  times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
