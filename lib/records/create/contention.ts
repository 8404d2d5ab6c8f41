import type { Place } from '../keys.ts';
import { PlaceMap } from '../placeMap.ts';
import { readQueue } from './queue.ts';

/** Until when this process expects others to create in a collection, in epoch milliseconds. */
const expectedUntil = new PlaceMap<number>();

/** Long enough that a crowd does not break up into single tries all the time, short enough that it does when it is over. */
const expectedMs = 1000;

/** Notes that others create in a collection right now, so that this process need not lose a race to know. */
export const noteContention = (place: Place): void => expectedUntil.set(place, Date.now() + expectedMs);

export const isContended = (place: Place): boolean => (expectedUntil.get(place) ?? 0) > Date.now();

const lookedAt = new PlaceMap<number>();
const lookEveryMs = 250;

/** Nobody waits longer for this, which is only a courtesy. */
const lookMaxMs = 100;

/**
 * Looks now and then whether somebody waits. Who always wins the race, and never pauses, would otherwise keep all others
 * waiting without knowing it. Failing to look is no reason to fail.
 */
export async function lookForWaiting(place: Place): Promise<void> {
  const now = Date.now();
  if (now - (lookedAt.get(place) ?? 0) < lookEveryMs) return;
  lookedAt.set(place, now);
  const queue = await readQueue(place, AbortSignal.timeout(lookMaxMs)).catch(() => []);
  if (queue.length > 0) noteContention(place);
}
