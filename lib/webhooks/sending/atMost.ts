import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something, and not longer than a time. What is not waited for goes on.
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
