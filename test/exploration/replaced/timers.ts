import { currentActor } from '../engine/actor.ts';

// node:timers/promises in the time of the exploration.

export const setTimeout = <T>(
  ms: number,
  value?: T,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const actor = currentActor();
    if (!actor) return resolve(value);
    const timer = actor.wait(ms, () => resolve(value));
    signal?.addEventListener('abort', () => {
      timer.cancel();
      reject(signal.reason);
    });
  });

/** What is done together in one turn of the event loop is done together here, too: no other actor comes between. */
export { setImmediate } from '../engine/actor.ts';
