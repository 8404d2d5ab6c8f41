import type { Collection, Stored } from '../../resources/collection.ts';
import { newTicket } from './commitQueue.ts';
import { contendedMin, noteContention } from './contention.ts';
import type { Draft } from './draft.ts';
import { Follower } from './follower.ts';
import { Leader, type Start } from './leader.ts';
import { type DraftOutcome, withdrawDraft } from './outcomes.ts';
import { QueuedDraft } from './ownDrafts.ts';

/**
 * Creates a record while others create too. If a hundred creators retried alone, each would win one race in a hundred.
 * Here one of those who wait leads and commits all drafts of the queue, and the others check now and then whether theirs is
 * committed.
 * @throws Error at the deadline; the draft is then never committed
 */
export async function createInGroup<R extends Stored>(
  collection: Collection<R>,
  account: string,
  draft: Draft<R>,
  deadline: number,
  ticket = newTicket(),
): Promise<DraftOutcome> {
  const ref = { account, type: collection.type };
  const follower = new Follower<R, DraftOutcome>(ref, {
    queued: { ticket, deadline, draft },
    lead: async (start: Start) => {
      const own = new QueuedDraft<R>(ticket);
      await new Leader(collection, ref, start, own).lead();
      return own.outcome;
    },
    resultOf: ({ outcome }) => outcome,
  });
  try {
    const outcome = await follower.follow();
    if (outcome.kind === 'committed' && (outcome.together ?? 0) >= contendedMin) noteContention(ref);
    return outcome;
  } catch (error) {
    // Whatever failed, the answer to the client depends on whether the draft is in the collection.
    const outcome = await withdrawDraft(ref, ticket);
    if (!outcome) throw error;
    return outcome;
  }
}
