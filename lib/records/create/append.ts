import { pause } from '../../dynamodb/conflicts.ts';
import { noteConflict } from '../../metrics.ts';
import type { Collection, Stored } from '../collection.ts';
import { forget, guessCount, remember } from '../head.ts';
import type { Draft, Placed } from './draft.ts';
import { packDrafts } from './packDrafts.ts';
import { placeAt } from './placement.ts';

/** What became of a draft of a bulk: its position, or the record that has its external id. */
export type Appended = ({ kind: 'placed' } & Placed) | { kind: 'taken'; by: string };

/** A collection in which others create all the time lets a bulk through now and then; so long without is a fault. */
const patienceMs = 60_000;

/** Appends drafts, which must all have different external ids, in as few transactions as they fit in. In the same order. */
export async function append<R extends Stored>(
  collection: Collection<R>,
  account: string,
  drafts: readonly Draft<R>[],
): Promise<Map<Draft<R>, Appended>> {
  const place = { account, type: collection.type };
  const appended = new Map<Draft<R>, Appended>();
  let rest = [...drafts];
  for (let progress = Date.now(); rest.length > 0; ) {
    const bulk = packDrafts(
      rest.map((draft) => ({ draft })),
      0,
    );
    const outcome = await placeAt(collection, account, await guessCount(place), bulk);
    if (outcome.kind === 'placed') {
      for (const [i, { draft }] of bulk.entries())
        appended.set(draft, { kind: 'placed', position: outcome.first + i, at: outcome.at });
      remember(place, outcome.first + bulk.length);
    } else if (outcome.kind === 'refused') {
      for (const [draft, by] of outcome.taken) appended.set(draft, { kind: 'taken', by });
    } else {
      if (Date.now() - progress > patienceMs)
        throw new Error('Others create so fast that the bulk never got its turn');
      if (outcome.count === undefined) forget(place);
      else remember(place, outcome.count);
      noteConflict();
      await pause(20);
      continue;
    }
    progress = Date.now();
    rest = rest.filter((draft) => !appended.has(draft));
  }
  return appended;
}
