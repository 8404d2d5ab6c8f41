import { pause } from '../../dynamodb/conflicts.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../collection.ts';
import { forget, guessHead, remember } from '../head.ts';
import { commitAt } from './commit.ts';
import { isContended, noteContention } from './contention.ts';
import type { CommitPoint, Draft } from './draft.ts';
import { packDrafts } from './packDrafts.ts';
import { takeTurn } from './turn.ts';

/** What became of a draft of a bulk: its position, or the record that has its external id. */
export type AppendResult = ({ kind: 'committed' } & CommitPoint) | { kind: 'taken'; by: string };

/** Even in a collection where others create all the time, a bulk commits now and then. So long without a commit is a fault. */
const noProgressMaxMs = 60_000;

/** About the pause after a conflict with somebody who did not wait for a turn. */
const conflictPauseMs = 20;

/**
 * Appends drafts in their order, in as few transactions as possible. Their external ids must all be different. A bulk that has
 * met others waits for its turn.
 * @param deadline epoch milliseconds; a draft without a result by then is not stored
 */
export async function append<R extends Stored>(
  collection: Collection<R>,
  account: string,
  drafts: readonly Draft<R>[],
  deadline = Number.POSITIVE_INFINITY,
): Promise<Map<Draft<R>, AppendResult>> {
  const ref = { account, type: collection.type };
  const results = new Map<Draft<R>, AppendResult>();
  let endTurn: (() => Promise<void>) | undefined;
  const beginTurn = async () => {
    endTurn ??= await takeTurn(ref, deadline);
    // Those before this one have changed the length.
    forget(ref);
  };
  try {
    if (drafts.length > 0 && isContended(ref)) await beginTurn();
    let rest = [...drafts];
    for (let progress = Date.now(); rest.length > 0 && Date.now() < deadline; ) {
      const outcome = await commitFront(collection, account, rest);
      if (outcome.kind === 'lost') {
        if (Date.now() - progress > noProgressMaxMs)
          throw new Error('Others create so fast that the bulk was never committed');
        noteConflict();
        noteContention(ref);
        if (endTurn) await pause(conflictPauseMs);
        else await beginTurn();
        continue;
      }
      for (const [draft, result] of outcome.results) results.set(draft, result);
      progress = Date.now();
      rest = rest.filter((draft) => !results.has(draft));
    }
  } finally {
    await endTurn?.();
  }
  return results;
}

type FrontOutcome<R extends Stored> =
  | { kind: 'done'; results: Map<Draft<R>, AppendResult> }
  | { kind: 'lost' };

/** Commits the drafts of the next transaction, and remembers the head. */
async function commitFront<R extends Stored>(
  collection: Collection<R>,
  account: string,
  drafts: readonly Draft<R>[],
): Promise<FrontOutcome<R>> {
  const ref = { account, type: collection.type };
  const bulk = packDrafts(
    drafts.map((draft) => ({ draft })),
    0,
  );
  const outcome = await commitAt(collection, account, await guessHead(ref), bulk);
  if (outcome.kind === 'lost') {
    if (outcome.head === undefined) forget(ref);
    else remember(ref, outcome.head);
    return outcome;
  }
  if (outcome.kind === 'refused') {
    const taken = [...outcome.taken].map(([draft, by]) => [draft, { kind: 'taken', by }] as const);
    return { kind: 'done', results: new Map(taken) };
  }
  const { first, at } = outcome;
  remember(ref, { count: first + bulk.length, at });
  const committed = bulk.map(
    ({ draft }, i) => [draft, { kind: 'committed', position: first + i, at }] as const,
  );
  return { kind: 'done', results: new Map(committed) };
}
