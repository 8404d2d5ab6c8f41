import { fewAtOnce } from '../concurrency.ts';
import type { Key } from '../keys/key.ts';
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

/** How keys were used, by their ids, as the access log tells. */
export async function knownUses(keys: readonly Key[]): Promise<Map<string, KnownUse>> {
  const byAccount = Map.groupBy(keys, ({ accountId }) => accountId);
  // An operator lists the keys of all accounts: their reads together would be more than there are connections.
  const counted = await fewAtOnce([...byAccount], ([account, some]) =>
    keyUses(
      account,
      some.map(({ id }) => id),
    ),
  );
  const byId = new Map(counted.flatMap((uses) => [...uses]));
  return new Map(keys.map(({ id }) => [id, known(byId.get(id))]));
}

const known = (use: KeyUse | undefined): KnownUse => ({
  requests24h: use?.requests24h ?? 0,
  // Times of this form sort as text.
  lastUsedAt: [...(use?.lastUses.values() ?? [])].sort().at(-1),
  ofSecret: (hash) => use?.lastUses.get(secretName(hash)),
});
