import { setTimeout as sleep } from 'node:timers/promises';

/** A steady pace: each piece of work starts at its time, however long the others take. */
export interface Pace {
  perSecond: number;
  seconds: number;
}

/** Repeats work at a pace. @returns how often it succeeded, and how often it failed */
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
