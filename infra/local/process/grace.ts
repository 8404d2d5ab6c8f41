import { setTimeout as sleep } from 'node:timers/promises';

/** How long an invocation that is under way may still take when all ends. */
const graceMs = 1000;

/** Waits until everything is settled, a moment at most. */
export async function withGrace(underWay: Iterable<Promise<unknown>>): Promise<void> {
  await Promise.race([Promise.allSettled(underWay), sleep(graceMs, undefined, { ref: false })]);
}
