import { setTimeout as sleep } from 'node:timers/promises';

/** What is done at a steady pace, however long each takes. */
export interface Pace {
  perSecond: number;
  seconds: number;
}

/** Does something again and again at a pace. @returns how often it succeeded, and how often it failed */
export async function paced(
  { perSecond, seconds }: Pace,
  work: () => Promise<unknown>,
): Promise<{ done: number; failed: number }> {
  const begun = performance.now();
  const results: Promise<boolean>[] = [];
  for (let i = 0; i < perSecond * seconds; i++) {
    const waitMs = begun + (1000 * i) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    results.push(
      work().then(
        () => true,
        () => false,
      ),
    );
  }
  const all = await Promise.all(results);
  const done = all.filter(Boolean).length;
  return { done, failed: all.length - done };
}
