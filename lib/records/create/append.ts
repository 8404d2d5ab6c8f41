import { pause } from '../../dynamodb/conflicts.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../collection.ts';
import { forget, guessCount, remember } from '../head.ts';
import { commitAt } from './commit.ts';
import type { CommitPoint, Draft } from './draft.ts';
import { packDrafts } from './packDrafts.ts';

/** What became of a draft of a bulk: its position, or the record that has its external id. */
export type AppendResult = ({ kind: 'committed' } & CommitPoint) | { kind: 'taken'; by: string };

/** Even in a collection where others create all the time, a bulk commits now and then. So long without a commit is a fault. */
const noProgressMaxMs = 60_000;

/** Appends drafts in their order, in as few transactions as possible. Their external ids must all be different. */
export async function append<R extends Stored>(
  collection: Collection<R>,
  account: string,
  drafts: readonly Draft<R>[],
): Promise<Map<Draft<R>, AppendResult>> {
  const ref = { account, type: collection.type };
  const results = new Map<Draft<R>, AppendResult>();
  let rest = [...drafts];
  for (let progress = Date.now(); rest.length > 0; ) {
    const bulk = packDrafts(
      rest.map((draft) => ({ draft })),
      0,
    );
    const outcome = await commitAt(collection, account, await guessCount(ref), bulk);
    if (outcome.kind === 'committed') {
      for (const [i, { draft }] of bulk.entries())
        results.set(draft, { kind: 'committed', position: outcome.first + i, at: outcome.at });
      remember(ref, outcome.first + bulk.length);
    } else if (outcome.kind === 'refused') {
      for (const [draft, by] of outcome.taken) results.set(draft, { kind: 'taken', by });
    } else {
      if (Date.now() - progress > noProgressMaxMs)
        throw new Error('Others create so fast that the bulk was never committed');
      if (outcome.count === undefined) forget(ref);
      else remember(ref, outcome.count);
      noteConflict();
      await pause(20);
      continue;
    }
    progress = Date.now();
    rest = rest.filter((draft) => !results.has(draft));
  }
  return results;
}
