import { isTransient, pause } from '../../dynamodb/conflicts.ts';
import { base32 } from '../../ids.ts';
import type { Collection, Stored } from '../collection.ts';
import type { CollectionRef } from '../keys.ts';
import { frontMax, newTicket, readQueue } from './commitQueue.ts';
import { noteContention } from './contention.ts';
import type { Draft } from './draft.ts';
import { batchMax, commitGroup } from './groupCommit.ts';
import { type DraftOutcome, enqueueDraft, readOutcome, removeDraft, withdrawDraft } from './queuedDrafts.ts';

/** The calls of a group commit, one after the other: read the queue, read the drafts, commit, remove the tickets. */
const callsPerCycle = 4;

/** After so many cycles for each draft ahead of it, a creator commits the group itself: the one ahead may have died. */
const waitCycles = 4;

/** With so many drafts in the queue, more creates are to be expected. */
const contendedMin = 4;

/** The longest pause between two checks. */
const pauseMaxMs = 1000;

/**
 * Creates a record while others create too. If a hundred creators retried alone, each would win one race in a hundred.
 * Here the creator whose draft is first in the queue commits all drafts that wait, and the others check now and then whether
 * theirs is committed.
 * @throws Error at the deadline; the draft is then never committed
 */
export async function createInGroup<R extends Stored>(
  collection: Collection<R>,
  account: string,
  draft: Draft<R>,
  deadline: number,
): Promise<DraftOutcome> {
  const ref = { account, type: collection.type };
  const ticket = newTicket(base32(draft.seed));
  try {
    await enqueueDraft(ref, { ticket, draft }, deadline);
    const outcome = await awaitOutcome(collection, ref, ticket, deadline);
    await removeDraft(ref, ticket);
    return outcome;
  } catch (error) {
    // Whatever failed, the answer to the client depends on whether the draft is in the collection.
    const outcome = await withdrawDraft(ref, ticket);
    if (!outcome) throw error;
    await removeDraft(ref, ticket);
    return outcome;
  }
}

async function awaitOutcome<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  ticket: string,
  deadline: number,
): Promise<DraftOutcome> {
  const start = performance.now();
  let lastError: unknown;
  for (let checks = 0; Date.now() < deadline; checks++) {
    const checkStart = performance.now();
    try {
      const queue = await readQueue(ref);
      const cycleMs = callsPerCycle * (performance.now() - checkStart);
      if (queue.length >= contendedMin) noteContention(ref);
      const ahead = queue.includes(ticket) ? queue.indexOf(ticket) : queue.length;
      const commitsGroup = ahead === 0 || performance.now() - start > waitCycles * cycleMs * ahead;
      if (commitsGroup) await commitGroup(collection, ref, queue);
      // A ticket that is neither at the front of the queue nor behind it has been removed: its draft is committed.
      else if (ahead < queue.length || queue.length >= frontMax) await pause(pauseMs(cycleMs, ahead, checks));
      const outcome = await readOutcome(ref, ticket);
      if (outcome) return outcome;
    } catch (error) {
      if (!isTransient(error)) throw error;
      lastError = error;
      await pause(pauseMs(performance.now() - checkStart, 0, checks));
    }
  }
  throw new Error('The deadline passed while others created records in the same collection', {
    cause: lastError,
  });
}

/**
 * The pause grows with the length of the queue, with the number of checks, and with the time that the database takes to
 * answer: many creators that check all the time would slow the database down.
 */
const pauseMs = (cycleMs: number, ahead: number, checks: number): number =>
  Math.min(pauseMaxMs, cycleMs * (1 + ahead / batchMax) * 1.5 ** checks);
