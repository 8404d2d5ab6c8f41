import { pause } from '../../dynamodb/conflicts.ts';
import { actionsMax } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../collection.ts';
import { readHead, remember } from '../head.ts';
import type { CollectionRef } from '../keys.ts';
import { type CommitOutcome, commitAt } from './commit.ts';
import { removeTickets } from './commitQueue.ts';
import type { CommitPoint } from './draft.ts';
import { packDrafts } from './packDrafts.ts';
import { noteOutcome, outcomeAction, type QueuedDraft, readDrafts } from './queuedDrafts.ts';

/** The most drafts of one transaction: each takes an action for its record and one for its outcome, and one moves the head. */
export const batchMax = Math.floor((actionsMax - 1) / 2);

/** How often a transaction is tried, each time at the length that came with the refusal. Then the queue is read again. */
const attemptsMax = 4;

/** Doubles with every attempt. */
const attemptPauseMs = 4;

/**
 * Tries to commit the drafts that wait, as many as one transaction can carry. The outcome is written to each draft.
 * @param queue tickets, oldest first
 */
export async function commitGroup<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  queue: readonly string[],
): Promise<void> {
  const [{ waiting, finished }, found] = await Promise.all([
    readDrafts<R>(ref, queue.slice(0, batchMax)),
    readHead(ref),
  ]);
  // A creator that dies after its commit leaves the tickets behind.
  if (finished.length > 0) await removeTickets(ref, finished);
  const batch = packDrafts(waiting, 1);
  let head = found;
  for (let attempts = 1; attempts <= attemptsMax && batch.length > 0; attempts++) {
    const entries = batch.map(({ draft, ticket }) => ({
      draft,
      extra: (point: CommitPoint) => [outcomeAction(ref, ticket, { kind: 'committed', ...point })],
    }));
    const outcome = await commitAt(collection, ref.account, head, entries);
    if (outcome.kind === 'committed') {
      remember(ref, { count: outcome.first + batch.length, at: outcome.at });
      return removeTickets(
        ref,
        batch.map(({ ticket }) => ticket),
      );
    }
    if (outcome.kind === 'refused') return noteFailures(ref, batch, outcome);
    // A draft of the batch has been committed or withdrawn meanwhile: the queue has to be read again.
    if (outcome.finished) return;
    noteConflict();
    await pause(attemptPauseMs * 2 ** attempts);
    head = outcome.head ?? (await readHead(ref));
  }
}

/** Notes at each draft that can never be committed why not. A note that fails is made by the next group commit. */
async function noteFailures<R extends Stored>(
  ref: CollectionRef,
  batch: readonly QueuedDraft<R>[],
  { taken, repeated }: Extract<CommitOutcome<R>, { kind: 'refused' }>,
): Promise<void> {
  await Promise.allSettled(
    batch.map(async ({ ticket, draft }) => {
      const by = taken.get(draft);
      if (by !== undefined) await noteOutcome(ref, ticket, { kind: 'taken', by });
      if (repeated.has(draft)) await noteOutcome(ref, ticket, { kind: 'repeated' });
    }),
  );
}
