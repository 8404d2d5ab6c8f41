import { setTimeout as sleep } from 'node:timers/promises';

/** How long an invocation that is under way may still take when all ends. */
const drainMs = 1000;

/** Waits until everything is settled, a moment at most. */
export async function drain(tasks: Iterable<Promise<unknown>>): Promise<void> {
  await Promise.race([Promise.allSettled(tasks), sleep(drainMs, undefined, { ref: false })]);
}
