import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, but not longer than a time. The work goes on after that. @returns undefined when the time was over first */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const over = sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    stop.abort();
  }
}

/** The entries in batches of a size, the last of which may be smaller. */
export const batchesOf = <T>(entries: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size));

/**
 * Does work for each entry, a few at a time.
 * @returns the results, in the order of the entries
 * @throws the first error, after the work that was under way with it
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
