import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lambda } from './lambda.ts';

/**
 * So many environments of a function keep all CPUs busy. On AWS each environment has a CPU of its own. Here the more of them work at once,
 * the longer each takes: then calls of the SDK time out, and receivers look slow.
 */
const busyMax = availableParallelism() + 1;

/** The longest wait: a function that stalls is busy, and must not stop its event source. */
const waitMs = 1000;

/** How often to look. */
const lookMs = 10;

/** Resolves when another batch of a function can begin. */
export async function freeCpu(lambda: Pick<Lambda, 'busyEnvironments'>, signal: AbortSignal): Promise<void> {
  const end = Date.now() + waitMs;
  while (lambda.busyEnvironments() >= busyMax && Date.now() < end && !signal.aborted) await sleep(lookMs);
}
