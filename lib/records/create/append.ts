import { randomBytes } from 'node:crypto';
import { isTransient, pause } from '../../dynamodb/conflicts.ts';
import { base32 } from '../../ids.ts';
import { describeError, log } from '../../log.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { forget, guessHead, isLed, remember } from '../head.ts';
import { commitAt } from './commit.ts';
import { newTicket, removeTickets } from './commitQueue.ts';
import { checkQueue, isContended, noteContention } from './contention.ts';
import { createInGroup } from './createInGroup.ts';
import type { Draft } from './draft.ts';
import { Follower } from './follower.ts';
import { type Bulk, Leader, type Start } from './leader.ts';
import type { DraftOutcome } from './outcomes.ts';
import { packDrafts } from './packDrafts.ts';

/** Even in a collection where others create all the time, a bulk commits now and then. This long without a commit is a fault. */
const noProgressMaxMs = 60_000;

/** About the pause after a queue that cannot be used. */
const troublePauseMs = 20;

/** Up to this many drafts wait in the queue one by one: a lead for them would delay all others more. */
const fewMax = 4;

/** How long a ticket of a bulk counts, which is about the time of a request: its owner may die and leave it behind. */
const ticketMs = 9000;

/**
 * Appends drafts in their order, in as few transactions as possible. Their external ids must all be different. A bulk that
 * meets others waits in the commit queue, and leads when it is the next: of ten bulks at once, nine would otherwise write in vain. A
 * few drafts are put into the queue by themselves.
 * @param deadline epoch milliseconds; a draft without an outcome by then is not stored
 */
export async function append<R extends Stored>(
  collection: Collection<R>,
  account: string,
  drafts: readonly Draft<R>[],
  deadline = Number.POSITIVE_INFINITY,
): Promise<Map<Draft<R>, DraftOutcome>> {
  const ref = { account, type: collection.type };
  const bulk: Bulk<R> = { rest: [...drafts], outcomes: new Map() };
  for (let progress = Date.now(); bulk.rest.length > 0 && Date.now() < deadline; ) {
    const before = bulk.rest.length;
    const inGroup = bulk.rest.length <= fewMax ? commitByOthers : commitInGroup;
    const hasWaited = isContended(ref) && (await inGroup(collection, account, bulk, deadline));
    if (!hasWaited) await commitAlone(collection, account, bulk);
    if (bulk.rest.length < before) progress = Date.now();
    else if (Date.now() - progress > noProgressMaxMs)
      throw new Error('Others create so fast that the bulk was never committed');
  }
  return bulk.outcomes;
}

/** Commits the drafts of the next transaction. When others were faster, it notes that. */
async function commitAlone<R extends Stored>(
  collection: Collection<R>,
  account: string,
  bulk: Bulk<R>,
): Promise<void> {
  const ref = { account, type: collection.type };
  const batch = packDrafts(bulk.rest.map((draft) => ({ draft })));
  const head = await guessHead(ref);
  const commit = isLed(head) ? undefined : commitAt(collection, account, head, batch);
  const [outcome] = await Promise.all([commit, checkQueue(ref)]);
  if (outcome === undefined || outcome.kind === 'lost') {
    if (outcome?.head) remember(ref, outcome.head);
    else forget(ref);
    noteConflict();
    noteContention(ref);
    return;
  }
  if (outcome.kind === 'refused')
    for (const [draft, by] of outcome.taken) bulk.outcomes.set(draft, { kind: 'taken', by });
  else {
    const { first, at } = outcome;
    remember(ref, { count: first + batch.length, at });
    for (const [i, { draft }] of batch.entries())
      bulk.outcomes.set(draft, { kind: 'committed', position: first + i, at });
  }
  bulk.rest = bulk.rest.filter((draft) => !bulk.outcomes.has(draft));
}

/** Puts the drafts into the commit queue, each by itself. @returns true */
async function commitByOthers<R extends Stored>(
  collection: Collection<R>,
  account: string,
  bulk: Bulk<R>,
  deadline: number,
): Promise<true> {
  const until = Math.min(deadline, Date.now() + ticketMs);
  const create = async (draft: Draft<R>, nth: number) =>
    bulk.outcomes.set(draft, await createInGroup(collection, account, draft, until, nth));
  const results = await Promise.allSettled(bulk.rest.map(create));
  bulk.rest = bulk.rest.filter((draft) => !bulk.outcomes.has(draft));
  const failed = results.find((result) => result.status === 'rejected');
  // A draft that was not committed in time has been withdrawn, and is tried again.
  if (failed && Date.now() < until) throw failed.reason;
  return true;
}

/**
 * Waits in the commit queue and leads, until all drafts of the bulk are committed or its ticket no longer counts.
 * @returns false when the queue cannot be used. That is not an error: the bulk then goes on alone.
 */
async function commitInGroup<R extends Stored>(
  collection: Collection<R>,
  account: string,
  bulk: Bulk<R>,
  deadline: number,
): Promise<boolean> {
  const ref = { account, type: collection.type };
  const queued = {
    ticket: newTicket(base32(randomBytes(10))),
    deadline: Math.min(deadline, Date.now() + ticketMs),
  };
  const follower = new Follower<R, true>(ref, {
    queued,
    lead: async (start: Start<R>) => {
      await new Leader(collection, ref, { ...start, bulk }).lead();
      return true;
    },
    resultOf: () => undefined,
    // It queues again.
    passedOver: true,
  });
  try {
    return await follower.follow();
  } catch (error) {
    if (Date.now() < queued.deadline && !isTransient(error)) throw error;
    log.warn('a bulk did not wait for its turn', { error: describeError(error) });
    await pause(troublePauseMs);
    return false;
  } finally {
    // Those before this one have changed the length.
    forget(ref);
    await removeTickets(ref, [queued.ticket]);
  }
}
