import { isPassing, pause } from '../../dynamodb/conflicts.ts';
import { base32 } from '../../ids.ts';
import type { Collection, Stored } from '../collection.ts';
import type { Place } from '../keys.ts';
import { noteContention } from './contention.ts';
import type { Draft } from './draft.ts';
import { batchMax, commitGroup } from './groupCommit.ts';
import { frontMax, newTicket, readQueue } from './queue.ts';
import { enter, type Fate, leave, readFate, withdraw } from './waitingRoom.ts';

/** To look at the queue, read the drafts, commit and tidy up follow each other: that is what a group commit takes. */
const callsPerCycle = 4;

/** How many cycles everybody leaves it to the one before them in the queue to commit: that one may have died. */
const patienceCycles = 4;

/** So many who wait at once will be there for a while. */
const crowdMin = 4;

/** The longest pause between two looks. */
const pauseMaxMs = 1000;

/**
 * Creates a record while others create too. Retrying alone, a hundred creators would each win one race in a hundred;
 * here the first in the queue places everybody who waits, and the others look now and then whether it is done.
 * @throws Error at the deadline; the draft is then never placed
 */
export async function createTogether<R extends Stored>(
  collection: Collection<R>,
  account: string,
  draft: Draft<R>,
  deadline: number,
): Promise<Fate> {
  const place = { account, type: collection.type };
  const ticket = newTicket(base32(draft.seed));
  try {
    await enter(place, { ticket, draft }, deadline);
    const fate = await awaitFate(collection, place, ticket, deadline);
    await leave(place, ticket);
    return fate;
  } catch (error) {
    // Whatever went wrong, the answer to the client depends on whether the draft is in the collection.
    const fate = await withdraw(place, ticket);
    if (!fate) throw error;
    await leave(place, ticket);
    return fate;
  }
}

async function awaitFate<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  ticket: string,
  deadline: number,
): Promise<Fate> {
  const entered = performance.now();
  let trouble: unknown;
  for (let looks = 0; Date.now() < deadline; looks++) {
    const asked = performance.now();
    try {
      const queue = await readQueue(place);
      const cycleMs = callsPerCycle * (performance.now() - asked);
      if (queue.length >= crowdMin) noteContention(place);
      const ahead = queue.includes(ticket) ? queue.indexOf(ticket) : queue.length;
      const isMine = ahead === 0 || performance.now() - entered > patienceCycles * cycleMs * ahead;
      if (isMine) await commitGroup(collection, place, queue);
      // Who is neither at the front nor behind it has been placed.
      else if (ahead < queue.length || queue.length >= frontMax) await pause(pauseMs(cycleMs, ahead, looks));
      const fate = await readFate(place, ticket);
      if (fate) return fate;
    } catch (error) {
      if (!isPassing(error)) throw error;
      trouble = error;
      await pause(pauseMs(performance.now() - asked, 0, looks));
    }
  }
  throw new Error('The deadline passed while others created records in the same collection', {
    cause: trouble,
  });
}

/**
 * The pause grows with the queue, with every look in vain, and with the time that the database takes to answer: a crowd
 * that asks all the time would keep it from its work.
 */
const pauseMs = (cycleMs: number, ahead: number, looks: number): number =>
  Math.min(pauseMaxMs, cycleMs * (1 + ahead / batchMax) * 1.5 ** looks);
