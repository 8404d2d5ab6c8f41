import { type Collection, type Content, externalIdTaken, type Stored } from './collection.ts';
import { createInCompany, type Settled } from './company.ts';
import { pause } from './conflicts.ts';
import { isCrowded, lookAround } from './crowd.ts';
import { type Draft, newDraft, recordAt } from './draft.ts';
import { guessCount, remember } from './head.ts';
import { assertFits } from './item.ts';
import type { Place } from './keys.ts';
import { type Outcome, placeAt } from './place.ts';

/**
 * Creates a record at the end of an account's collection, in one transaction. Alone first, which is one call for an
 * account on which nobody else creates; in company when others were faster.
 * @param deadline epoch milliseconds; what is not placed by then never will be
 * @throws ApiError 400 when the external id belongs to another record or the record is too large for a list
 */
export async function createRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  content: Content<R>,
  deadline: number,
): Promise<R> {
  const draft = newDraft(content, new Date());
  assertFits(collection, recordAt(collection, draft, 0));
  const place = { account, type: collection.type };
  const fate =
    (isCrowded(place) ? undefined : await createAlone(collection, place, draft)) ??
    (await createInCompany(collection, account, draft, deadline));
  if (fate.kind === 'taken') throw externalIdTaken(collection, content.external_id as string, fate.by);
  return recordAt(collection, draft, fate.position);
}

/** Against few others it is faster to try again than to queue up. */
const triesMax = 3;

/** About what a transaction takes, so that the other one is over. */
const conflictPauseMs = 12;

/**
 * Tries the length this process remembers and, when that was out of date, the one that the refusal told.
 * @returns undefined when others were faster
 */
async function createAlone<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  draft: Draft<R>,
): Promise<Settled | undefined> {
  let count = await guessCount(place);
  for (let tries = 0; tries < triesMax; tries++) {
    const placing: Promise<Outcome<R>> = placeAt(collection, place.account, count, [{ draft }]);
    const [outcome] = await Promise.all([placing, lookAround(place)]);
    if (outcome.kind === 'taken') return { kind: 'taken', by: outcome.by.get(draft) as string };
    if (outcome.kind === 'placed') {
      remember(place, count + 1);
      return { kind: 'placed', position: count };
    }
    if (outcome.count === undefined) await pause(conflictPauseMs);
    count = outcome.count ?? count;
  }
  return undefined;
}
