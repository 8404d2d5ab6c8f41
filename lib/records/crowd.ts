import type { Place } from './keys.ts';
import { PlaceMap } from './placeMap.ts';
import { readQueue } from './queue.ts';

/** Until when this process takes a collection for crowded, in epoch milliseconds. */
const crowdedUntil = new PlaceMap<number>();

/** Long enough that a crowd does not break up into single tries all the time, short enough that it does when it is over. */
const crowdedMs = 1000;

/** Notes that others create in a collection right now, so that this process need not lose a race to know. */
export const noteCrowd = (place: Place): void => crowdedUntil.set(place, Date.now() + crowdedMs);

export const isCrowded = (place: Place): boolean => (crowdedUntil.get(place) ?? 0) > Date.now();

const lookedAt = new PlaceMap<number>();
const lookEveryMs = 250;

/**
 * Looks whether somebody waits. Who always wins a race, and never pauses, would otherwise keep all others waiting without
 * knowing it. Failing to look is no reason to fail.
 */
export async function lookAround(place: Place): Promise<void> {
  const now = Date.now();
  if (now - (lookedAt.get(place) ?? 0) < lookEveryMs) return;
  lookedAt.set(place, now);
  const queue = await readQueue(place).catch(() => []);
  if (queue.some(({ fate }) => fate.kind === 'waiting')) noteCrowd(place);
}
