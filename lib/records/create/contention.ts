import { CollectionMap } from '../collectionMap.ts';
import type { CollectionRef } from '../keys.ts';
import { ageOf, oldestTicket } from './commitQueue.ts';

/** Until when this process expects others to create in a collection at the same moment, in epoch milliseconds. */
const expectedUntil = new CollectionMap<number>();

/**
 * Longer than the gaps between the creates of many clients, so that they keep using the queue. Short enough that a single
 * client soon commits directly again.
 */
const expectedMs = 1000;

/** When this many drafts are committed together, more creates are expected. */
export const contendedMin = 3;

/** Notes that others create in a collection right now. This process then uses the queue without losing a race first. */
export function noteContention(ref: CollectionRef): void {
  expectedUntil.set(ref, Date.now() + expectedMs);
  noteOtherWriters(ref);
}

export const isContended = (ref: CollectionRef): boolean => (expectedUntil.get(ref) ?? 0) > Date.now();

/** Until when this process expects others to create in a collection now and then, in epoch milliseconds. */
const othersUntil = new CollectionMap<number>();

/** The creates of a client that writes now and then are seconds apart. */
const othersMs = 60_000;

/** Notes that the head which this process remembered was out of date, or soon will be. */
export const noteOtherWriters = (ref: CollectionRef): void => othersUntil.set(ref, Date.now() + othersMs);

/** Whether the head of a collection is better read than remembered: a transaction without effect takes four times as long as a read. */
export const hasOtherWriters = (ref: CollectionRef): boolean => (othersUntil.get(ref) ?? 0) > Date.now();

const checkedAt = new CollectionMap<number>();
const checkEveryMs = 250;

/** What has waited no longer than this is being committed. */
const usualWaitMs = 100;

/** A create waits for the check, which only serves others: so it may take no longer than this. */
const checkMaxMs = 100;

/**
 * Checks now and then whether drafts wait in the queue. Without it, a process that wins every race would never learn that
 * others wait. A check that fails is ignored.
 */
export async function checkQueue(ref: CollectionRef): Promise<void> {
  const now = Date.now();
  if (now - (checkedAt.get(ref) ?? 0) < checkEveryMs) return;
  checkedAt.set(ref, now);
  const oldest = await oldestTicket(ref, AbortSignal.timeout(checkMaxMs)).catch(() => undefined);
  if (oldest !== undefined && ageOf(oldest) > usualWaitMs) noteContention(ref);
}
