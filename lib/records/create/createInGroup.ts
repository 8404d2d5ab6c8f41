import { base32 } from '../../ids.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { newTicket } from './commitQueue.ts';
import { crowdMin, noteContention } from './contention.ts';
import type { Draft } from './draft.ts';
import { Follower } from './follower.ts';
import { Leader, type Start } from './leader.ts';
import { type DraftOutcome, withdrawDraft } from './outcomes.ts';

/**
 * Creates a record while others create too. If a hundred creators retried alone, each would win one race in a hundred.
 * Here one of those who wait leads and commits all drafts of the queue, and the others check now and then whether theirs is
 * committed.
 * @param nth its place among drafts of one caller, from 0 to 9: those that come together are committed in this order
 * @throws Error at the deadline; the draft is then never committed
 */
export async function createInGroup<R extends Stored>(
  collection: Collection<R>,
  account: string,
  draft: Draft<R>,
  deadline: number,
  nth?: number,
): Promise<DraftOutcome> {
  const ref = { account, type: collection.type };
  const seed = base32(draft.seed);
  const ticket = newTicket(nth === undefined ? seed : `${nth}${seed.slice(1)}`);
  const follower = new Follower<R, DraftOutcome>(ref, {
    queued: { ticket, deadline, draft },
    lead: async (start: Start<R>) => {
      const leader = new Leader(collection, ref, start);
      await leader.lead();
      return leader.outcome;
    },
    resultOf: ({ outcome }) => outcome,
  });
  try {
    const outcome = await follower.follow();
    if (outcome.kind === 'committed' && (outcome.together ?? 0) >= crowdMin) noteContention(ref);
    return outcome;
  } catch (error) {
    // Whatever failed, the answer to the client depends on whether the draft is in the collection.
    const outcome = await withdrawDraft(ref, ticket);
    if (!outcome) throw error;
    return outcome;
  }
}
