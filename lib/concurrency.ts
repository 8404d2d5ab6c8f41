import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, but no longer than a given time. The work continues after that. @returns undefined if the time ran out first */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const over = sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    stop.abort();
  }
}

/** Returns the entries in batches of a size. The last batch may be smaller. */
export const batchesOf = <T>(entries: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size));

/** Returns the entries in batches limited by entries and bytes. An entry with more bytes is alone. */
export function packed<T extends { bytes: number }>(
  entries: readonly T[],
  { entriesMax, bytesMax }: { entriesMax: number; bytesMax: number },
): T[][] {
  const batches: T[][] = [];
  let total = 0;
  for (const entry of entries) {
    const last = batches.at(-1);
    total += entry.bytes;
    if (last && last.length < entriesMax && total <= bytesMax) last.push(entry);
    else {
      batches.push([entry]);
      total = entry.bytes;
    }
  }
  return batches;
}

/**
 * Does work for each entry, a few at a time.
 * @returns the results, in the order of the entries
 * @throws the first error, after the work that was running with it
 */
export async function fewAtOnce<T, R>(
  entries: readonly T[],
  work: (entry: T) => Promise<R>,
  atOnce = 25,
): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  const left = entries.entries();
  const worker = async () => {
    for (const [i, entry] of left)
      try {
        results[i] = await work(entry);
        if (errors.length > 0) return;
      } catch (error) {
        errors.push(error);
        return;
      }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, entries.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
