import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for work, but not longer than a time. The work goes on after that.
 * @returns undefined when the time was over first
 */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const over = sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, over]);
  } finally {
    stop.abort();
  }
}
