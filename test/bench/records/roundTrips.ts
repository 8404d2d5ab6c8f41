import { setTimeout as sleep } from 'node:timers/promises';
import { onWire } from '../../support/faults/wire.ts';

/** Longer than the difference between calls that begin at the same time. */
const latencyMs = 30;

/** How many round trips in sequence work takes: all calls take as long, and those that begin together are one. */
export async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  let [running, trips] = [0, 0];
  const undo = onWire(async (_, send) => {
    if (running++ === 0) trips += 1;
    try {
      const answer = await send();
      await sleep(latencyMs);
      return answer;
    } finally {
      running -= 1;
    }
  });
  try {
    await work();
  } finally {
    undo();
  }
  return trips;
}
