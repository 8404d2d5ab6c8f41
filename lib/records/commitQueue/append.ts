import { isTransient, pause } from '../../dynamodb/conflicts.ts';
import { describeError, log } from '../../logs/log.ts';
import { noteConflict } from '../../logs/metrics.ts';
import type { Stored } from '../../resources/collection.ts';
import { counters, isLed, readCounter } from '../counter.ts';
import type { Draft } from '../recordItem.ts';
import type { AccountCollection } from '../recordKeys.ts';
import { Bulk, commitAt, hasNoteCheck, packDrafts } from './commit.ts';
import { createInGroup, Follower } from './follower.ts';
import { Leader, type LeaderStart } from './leader.ts';
import {
  checkQueue,
  type DraftOutcome,
  isContended,
  newTicket,
  newTicketEnd,
  noteContention,
  removeTickets,
} from './queue.ts';

/** The longest that a bulk goes without a commit. Bulks make progress even while others keep creating, so a longer gap is a bug. */
const noProgressMaxMs = 60_000;

/** The average pause after an error of the queue, in milliseconds. */
const troublePauseMs = 20;

/** At most this many drafts enter the queue one by one. A bulk of them would delay all other creates for longer. */
const fewMax = 4;

/** How long a bulk's ticket is valid: about as long as a request. The bulk's process may die and leave the ticket behind. */
const ticketMs = 9000;

/**
 * Appends drafts in order, in as few transactions as possible. Every draft needs a different external id. A bulk that competes with other
 * creates waits in the commit queue and leads when it reaches the front. Without the queue, nine of ten concurrent bulks would write without
 * effect. A few drafts enter the queue one by one instead.
 * @param deadline epoch milliseconds; a draft without an outcome by then is not stored
 */
export async function append<R extends Stored>(
  ref: AccountCollection<R>,
  drafts: readonly Draft<R>[],
  deadline = Number.POSITIVE_INFINITY,
): Promise<Map<Draft<R>, DraftOutcome>> {
  const bulk = new Bulk(drafts);
  for (let progress = Date.now(); bulk.rest.length > 0 && Date.now() < deadline; ) {
    const before = bulk.rest.length;
    if (!isContended(ref)) await commitAlone(ref, bulk);
    else if (before <= fewMax && !bulk.rest.some(hasNoteCheck)) await queueEach(ref, bulk, deadline);
    else if ((await commitInGroup(ref, bulk, deadline)) === 'no queue') await commitAlone(ref, bulk);
    if (bulk.rest.length < before) progress = Date.now();
    else if (Date.now() - progress > noProgressMaxMs)
      throw new Error('Others create so fast that the bulk was never committed');
  }
  return bulk.outcomes;
}

/** Commits as many drafts as fit into one transaction, or records the conflict if another process was faster. */
async function commitAlone<R extends Stored>(ref: AccountCollection<R>, bulk: Bulk<R>): Promise<void> {
  const batch = packDrafts(bulk.rest.map((draft) => ({ draft })));
  const counter = counters.get(ref) ?? (await readCounter(ref));
  const commit = isLed(counter) ? undefined : commitAt(ref, counter, batch);
  const [outcome] = await Promise.all([commit, checkQueue(ref)]);
  if (outcome === undefined || outcome.kind === 'lost') {
    if (outcome?.counter) counters.set(ref, outcome.counter);
    else counters.delete(ref);
    noteConflict();
    noteContention(ref);
    return;
  }
  if (outcome.kind === 'refused') {
    bulk.noteAll(outcome.outcomes);
    return;
  }
  const { first, at } = outcome;
  counters.set(ref, { count: first + batch.length, at });
  bulk.noteAll(new Map(batch.map(({ draft }, i) => [draft, { kind: 'committed', position: first + i, at }])));
}

/** Queues each draft on its own. Any leader commits them, so they need rights that every leader has. */
async function queueEach<R extends Stored>(
  ref: AccountCollection<R>,
  bulk: Bulk<R>,
  deadline: number,
): Promise<void> {
  const until = Math.min(deadline, Date.now() + ticketMs);
  const end = newTicketEnd();
  const create = async (draft: Draft<R>, nth: number) => {
    const outcome = await createInGroup(ref, draft, until, newTicket(`${nth}${end}`));
    bulk.noteAll(new Map([[draft, outcome]]));
  };
  const results = await Promise.allSettled(bulk.rest.map(create));
  const failed = results.find((result) => result.status === 'rejected');
  // A draft that missed its deadline was withdrawn, so the next round retries it.
  if (failed && Date.now() < until) throw failed.reason;
}

/** How a bulk's wait in the commit queue ended. `passed over`: another process led in its place, so the bulk queues again. */
type Wait = 'led' | 'passed over' | 'no queue';

/**
 * Waits in the commit queue and leads, until all drafts of the bulk are committed or its ticket has expired.
 * @returns `no queue` if the queue is not usable. This is not an error: the bulk then commits without the queue.
 */
async function commitInGroup<R extends Stored>(
  ref: AccountCollection<R>,
  bulk: Bulk<R>,
  deadline: number,
): Promise<Wait> {
  const queued = {
    ticket: newTicket(),
    deadline: Math.min(deadline, Date.now() + ticketMs),
  };
  const follower = new Follower<R, Wait>(ref, {
    queued,
    lead: async (start: LeaderStart) => {
      await new Leader(ref, start, bulk).lead();
      return 'led';
    },
    resultOf: () => undefined,
    passedOver: 'passed over',
  });
  try {
    return await follower.follow();
  } catch (error) {
    if (Date.now() < queued.deadline && !isTransient(error)) throw error;
    log.warn('a bulk did not wait for its turn', { error: describeError(error) });
    await pause(troublePauseMs);
    return 'no queue';
  } finally {
    // Earlier commits have changed the count.
    counters.delete(ref);
    await removeTickets(ref, [queued.ticket]);
  }
}
