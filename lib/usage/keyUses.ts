import { fewAtOnce } from '../concurrency.ts';
import { countsIn } from './counts.ts';
import { hourMs, keptMs, startOf } from './keys.ts';
import type { Range } from './range.ts';
import { hourItems, timeOf } from './readUse.ts';
import { type UsedSecret, usedSecrets } from './usedKeys.ts';

/** What is known of the use of a key. */
export interface KeyUse {
  /** The requests of this hour and of the 23 hours before it. */
  requests24h: number;
  /** When each secret was last used, RFC 3339 UTC, by its name: to the minute, and to the hour when that is older than the counts. */
  lastUses: ReadonlyMap<string, string>;
}

/** How keys of an account were used, by their ids. Keys that were never used are left out. */
export async function keyUses(
  account: string,
  keys: readonly string[],
  now = Date.now(),
): Promise<Map<string, KeyUse>> {
  const [only, another] = keys;
  if (only === undefined) return new Map();
  const wanted = new Set(keys);
  const used = await usedSecrets(account, another === undefined ? only : undefined);
  const byKey = Map.groupBy(used, ({ key }) => key);
  const read = await fewAtOnce(
    [...byKey].filter(([key]) => wanted.has(key)),
    async ([key, secrets]) => [key, await useOf(account, key, secrets, now)] as const,
  );
  return new Map(read);
}

async function useOf(account: string, key: string, secrets: UsedSecret[], now: number): Promise<KeyUse> {
  const to = Math.ceil((now + 1) / hourMs) * hourMs;
  const lately = { from: to - 24 * hourMs, to };
  const hours = [...new Set(secrets.map(({ hour }) => startOf(hour)))];
  const ranges: Pick<Range, 'from' | 'to'>[] = [
    ...(hours.some((hour) => hour >= lately.from) ? [lately] : []),
    ...hours
      .filter((hour) => hour < lately.from && hour > now - keptMs.hour)
      .map((from) => ({ from, to: from + hourMs })),
  ];
  const items = (await Promise.all(ranges.map((range) => hourItems(account, key, range)))).flat();
  return {
    requests24h: items
      .filter((item) => startOf(timeOf(item)) >= lately.from)
      .flatMap(countsIn)
      .reduce((sum, { requests }) => sum + requests, 0),
    lastUses: new Map(secrets.map((secret) => [secret.secret, lastUseOf(secret, items)])),
  };
}

function lastUseOf({ secret, hour }: UsedSecret, items: readonly Record<string, unknown>[]): string {
  const minutes = items
    .filter((item) => timeOf(item) === hour)
    .flatMap((item) => [...((item[`used:${secret}`] ?? []) as Iterable<number>)]);
  return new Date(startOf(hour) + 60_000 * Math.max(0, ...minutes)).toISOString();
}
