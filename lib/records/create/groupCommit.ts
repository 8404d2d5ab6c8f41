import { pause } from '../../dynamodb/conflicts.ts';
import { actionsMax } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../collection.ts';
import { readCount, remember } from '../head.ts';
import type { Place } from '../keys.ts';
import type { Placed } from './draft.ts';
import { packDrafts } from './packDrafts.ts';
import { type Outcome, placeAt } from './placement.ts';
import { removeTickets } from './queue.ts';
import { readDrafts, refuse, settle, type Waiting } from './waitingRoom.ts';

/** The most drafts of one transaction: each takes an action for its record and one for its fate, one moves the head. */
export const batchMax = Math.floor((actionsMax - 1) / 2);

/** How often a transaction is tried, at the length that its refusal told. Then the queue has to be read again. */
const attemptsMax = 4;

/** Doubles with every attempt. */
const attemptPauseMs = 4;

/**
 * Tries to place those who wait, as many as one transaction can carry. What came of it stands at their drafts.
 * @param queue tickets, first come first
 */
export async function commitGroup<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  queue: readonly string[],
): Promise<void> {
  const [{ waiting, settled }, length] = await Promise.all([
    readDrafts<R>(place, queue.slice(0, batchMax)),
    readCount(place),
  ]);
  // Left behind by somebody who died after a commit.
  if (settled.length > 0) await removeTickets(place, settled);
  const batch = packDrafts(waiting, 1);
  let count = length;
  for (let attempts = 1; attempts <= attemptsMax && batch.length > 0; attempts++) {
    const placements = batch.map(({ draft, ticket }) => ({
      draft,
      extra: (placed: Placed) => [settle(place, ticket, { kind: 'placed', ...placed })],
    }));
    const outcome = await placeAt(collection, place.account, count, placements);
    if (outcome.kind === 'placed') {
      remember(place, count + batch.length);
      return removeTickets(
        place,
        batch.map(({ ticket }) => ticket),
      );
    }
    if (outcome.kind === 'refused') return tell(place, batch, outcome);
    // Somebody aboard has been placed or has left meanwhile.
    if (outcome.settled) return;
    noteConflict();
    await pause(attemptPauseMs * 2 ** attempts);
    count = outcome.count ?? (await readCount(place));
  }
}

/** Everybody who can never be placed learns it from their draft, the first in the queue too. Who cannot be told will be, next time. */
async function tell<R extends Stored>(
  place: Place,
  batch: readonly Waiting<R>[],
  { taken, repeated }: Extract<Outcome<R>, { kind: 'refused' }>,
): Promise<void> {
  await Promise.allSettled(
    batch.map(async ({ ticket, draft }) => {
      const by = taken.get(draft);
      if (by !== undefined) await refuse(place, ticket, { kind: 'taken', by });
      if (repeated.has(draft)) await refuse(place, ticket, { kind: 'repeated' });
    }),
  );
}
