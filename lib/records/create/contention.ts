import { CollectionMap } from '../collectionMap.ts';
import type { CollectionRef } from '../keys.ts';
import { readQueue } from './commitQueue.ts';

/** Until when this process expects others to create in a collection, in epoch milliseconds. */
const expectedUntil = new CollectionMap<number>();

/**
 * Longer than the gaps between the creates of many clients, so that they keep using the queue. Short enough that a single
 * client soon commits directly again.
 */
const expectedMs = 1000;

/** Notes that others create in a collection right now. This process then uses the queue without losing a race first. */
export const noteContention = (ref: CollectionRef): void => expectedUntil.set(ref, Date.now() + expectedMs);

export const isContended = (ref: CollectionRef): boolean => (expectedUntil.get(ref) ?? 0) > Date.now();

const checkedAt = new CollectionMap<number>();
const checkEveryMs = 250;

/** A create waits for the check, which only serves others: so it may take no longer than this. */
const checkMaxMs = 100;

/**
 * Checks now and then whether drafts are in the queue. Without it, a process that wins every race would never learn that
 * others wait. A check that fails is ignored.
 */
export async function checkQueue(ref: CollectionRef): Promise<void> {
  const now = Date.now();
  if (now - (checkedAt.get(ref) ?? 0) < checkEveryMs) return;
  checkedAt.set(ref, now);
  const queue = await readQueue(ref, AbortSignal.timeout(checkMaxMs)).catch(() => []);
  if (queue.length > 0) noteContention(ref);
}
