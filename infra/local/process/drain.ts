import { setTimeout as sleep } from 'node:timers/promises';

/** How long running invocations may continue when the stack stops, in milliseconds. */
const drainMs = 1000;

/** Waits until all tasks have ended, at most `drainMs`. */
export async function drain(tasks: Iterable<Promise<unknown>>): Promise<void> {
  await Promise.race([Promise.allSettled(tasks), sleep(drainMs, undefined, { ref: false })]);
}
