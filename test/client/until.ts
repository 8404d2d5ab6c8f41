import { setTimeout } from 'node:timers/promises';

/** Asks ten times a second until there is an answer. */
export async function until<Found>(
  ask: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> {
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    await setTimeout(100);
  }
}
