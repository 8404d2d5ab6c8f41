import { randomBytes } from 'node:crypto';
import { isTransient, pause } from '../../dynamodb/conflicts.ts';
import { base32 } from '../../ids.ts';
import { describeError, log } from '../../log.ts';
import type { CollectionRef } from '../keys.ts';
import { frontMax, newTicket, readQueue, removeTickets } from './commitQueue.ts';
import { enqueueTicket } from './queuedDrafts.ts';

/** How long a ticket of a bulk counts, which is about the time of a request: its owner may die and leave it behind. */
const ticketMs = 9000;

/** After so long with the same ticket at the front, in times of a read of the queue, its owner counts as dead. */
const patienceReads = 50;

/** The longest pause between two looks at the queue. */
const pauseMaxMs = 250;

/**
 * Waits in the commit queue until the tickets before this one are gone, first come, first served. Of ten bulks at once, nine
 * would otherwise write in vain, again and again. Positions do not depend on it: the condition on the head keeps them right,
 * whoever commits when. So a queue that cannot be used is no error.
 * @param deadline epoch milliseconds
 * @returns ends the turn
 */
export async function takeTurn(ref: CollectionRef, deadline: number): Promise<() => Promise<void>> {
  const ticket = newTicket(base32(randomBytes(10)));
  const end = Math.min(deadline, Date.now() + ticketMs);
  try {
    await enqueueTicket(ref, ticket, end);
    await untilFirst(ref, ticket, end);
  } catch (error) {
    if (!isTransient(error)) throw error;
    log.warn('a bulk did not wait for its turn', { error: describeError(error) });
  }
  return () => removeTickets(ref, [ticket]);
}

async function untilFirst(ref: CollectionRef, ticket: string, end: number): Promise<void> {
  let [front, since] = ['', 0];
  while (Date.now() < end) {
    const started = performance.now();
    const queue = await readQueue(ref);
    const now = performance.now();
    const readMs = now - started;
    const ahead = queue.includes(ticket) ? queue.indexOf(ticket) : queue.length;
    if (ahead === 0 || (ahead === queue.length && queue.length < frontMax)) return;
    if (queue[0] !== front) [front, since] = [queue[0] as string, now];
    if (now - since > patienceReads * readMs) return;
    await pause(Math.min(pauseMaxMs, 2 * readMs * ahead));
  }
}
