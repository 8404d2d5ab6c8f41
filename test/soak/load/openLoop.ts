import { setTimeout as sleep } from 'node:timers/promises';

/** A load that begins each piece of work at its time, however long the others take. */
export interface OpenLoop {
  perSecond: number;
  ms: number;
  /** Ends the load early. */
  signal: AbortSignal;
}

/**
 * Keeps nothing of work that is done, so it may run for hours.
 * @param begin gets the time at which the work is due, by `performance.now()`
 * @returns when all work is done
 */
export async function openLoop(
  { perSecond, ms, signal }: OpenLoop,
  begin: (dueAt: number) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let i = 0; i < (perSecond * ms) / 1000 && !signal.aborted; i++) {
    const dueAt = begun + (1000 * i) / perSecond;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const work = begin(dueAt).finally(() => underWay.delete(work));
    underWay.add(work);
  }
  await Promise.all(underWay);
}
