import { fewAtOnce } from '../concurrency.ts';
import { between } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { usage } from '../dynamodb/tables.ts';
import { secretName } from '../keys/access.ts';
import type { ApiKey } from '../keys/key.ts';
import { type Count, countsIn, hourItems, timeOf } from './readUse.ts';
import { hourMs, keysPartition, last, startOf, usageKeptMs } from './usageKeys.ts';
import type { UsageRange } from './usageRange.ts';

/** When and how often a key was used. Times are RFC 3339 UTC. */
export interface KnownUse {
  /** How many requests the key made in this hour and the 23 hours before it. */
  requests24h: number;
  /** How many of these got a 4xx or a 5xx. */
  failed24h: number;
  lastUsedAt: string | undefined;
  /** Returns when a secret was last used: to the minute, or to the hour if that is older than the counts. */
  ofSecret(hash: string): string | undefined;
}

/** Returns when and how often keys were used, by their ids, according to the access log. */
export async function knownUses(keys: readonly ApiKey[]): Promise<Map<string, KnownUse>> {
  const byAccount = Map.groupBy(keys, ({ accountId }) => accountId);
  // An operator lists the keys of all accounts. Reading all of them at once would need more connections than there are.
  const used = await fewAtOnce([...byAccount], ([account, [only, another]]) =>
    usedSecrets(account, another === undefined ? only?.id : undefined),
  );
  const byKey = Map.groupBy(used.flat(), ({ key }) => key);
  const now = Date.now();
  const known = async (key: ApiKey) => [key.id, await useOf(key, byKey.get(key.id) ?? [], now)] as const;
  return new Map(await fewAtOnce(keys, known));
}

async function useOf({ id, accountId }: ApiKey, secrets: UsedSecret[], now: number): Promise<KnownUse> {
  const to = Math.ceil((now + 1) / hourMs) * hourMs;
  const lately = { from: to - 24 * hourMs, to };
  const used = secrets.filter(({ secret }) => secret !== '');
  const hours = [...new Set(used.map(({ hour }) => startOf(hour)))];
  const ranges: Pick<UsageRange, 'from' | 'to'>[] = [
    // A key that has ended may still be refused all day, long after it was last used.
    ...(secrets.length > 0 ? [lately] : []),
    ...hours
      .filter((hour) => hour < lately.from && hour > now - usageKeptMs.hour)
      .map((from) => ({ from, to: from + hourMs })),
  ];
  const items = (await Promise.all(ranges.map((range) => hourItems(accountId, id, range)))).flat();
  const lastUses = new Map(used.map((secret) => [secret.secret, lastUseOf(secret, items)]));
  const counts = items.filter((item) => startOf(timeOf(item)) >= lately.from).flatMap(countsIn);
  const sumOf = (some: readonly Count[]) => some.reduce((sum, { requests }) => sum + requests, 0);
  return {
    requests24h: sumOf(counts),
    failed24h: sumOf(counts.filter(({ statusClass }) => statusClass !== '2xx')),
    // Times in this format sort as text.
    lastUsedAt: [...lastUses.values()].sort().at(-1),
    ofSecret: (hash) => lastUses.get(secretName(hash)),
  };
}

function lastUseOf({ secret, hour }: UsedSecret, items: readonly Record<string, unknown>[]): string {
  const minutes = items
    .filter((item) => timeOf(item) === hour)
    .flatMap((item) => [...((item[`used:${secret}`] ?? []) as Iterable<number>)]);
  return new Date(startOf(hour) + 60_000 * Math.max(0, ...minutes)).toISOString();
}

interface UsedSecret {
  key: string;
  /** The result of `secretName` for the secret; empty for a key that was refused because it has ended. */
  secret: string;
  hour: string;
}

/** Reads the secrets of an account that were ever used or refused, or those of one key. */
async function usedSecrets(account: string, key?: string): Promise<UsedSecret[]> {
  const sk = key === undefined ? undefined : between(`${key}#`, `${key}#${last}`);
  const items = await queryAll(usage.where({ pk: keysPartition(account), sk }));
  return items.map(({ sk, hour }) => {
    const [used = '', secret = ''] = (sk as string).split('#');
    return { key: used, secret, hour: hour as string };
  });
}

export const usedKeys = async (account: string): Promise<string[]> => [
  ...new Set((await usedSecrets(account)).map(({ key }) => key)),
];
