import { pause } from '../../dynamodb/conflicts.ts';
import { type Answered, keptAnswer, type Once } from '../../dynamodb/idempotency.ts';
import { env, required } from '../../env.ts';
import { noteConflict } from '../../metrics.ts';
import { type Collection, type Content, externalIdTaken, type Stored } from '../collection.ts';
import { guessCount, readCount, remember } from '../head.ts';
import { assertFits } from '../item.ts';
import type { Place } from '../keys.ts';
import { isContended, lookForWaiting } from './contention.ts';
import { createTogether } from './createTogether.ts';
import { type Draft, newDraft, recordAt } from './draft.ts';
import { type Outcome, placeAt } from './placement.ts';
import type { Fate } from './waitingRoom.ts';

/**
 * Creates a record at the end of an account's collection, in one transaction. Alone first, which is
 * the fastest on an account on which nobody else creates; together with the others when they were faster.
 * @param deadline epoch milliseconds; what is not placed by then never will be
 * @param once makes a repeated request have one effect, and the same answer
 * @throws ApiError 400 when the external id belongs to another record or the record is too large for a list, 422 when the
 *   request it repeats had another body
 */
export async function createRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  content: Content<R>,
  { deadline, once }: { deadline: number; once?: Once | undefined },
): Promise<Answered<R>> {
  const draft = newDraft(content, once ? { once } : {});
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  const place = { account, type: collection.type };
  const fate =
    (isContended(place) ? undefined : await createAlone(collection, place, draft)) ??
    (await createTogether(collection, account, draft, deadline));
  if (fate.kind === 'taken') throw externalIdTaken(collection, content.external_id as string, fate.by);
  if (fate.kind === 'repeated') return repeatedAnswer(account, draft.once as Once);
  return { body: recordAt(collection, draft, fate), replayed: false };
}

async function repeatedAnswer<R>(account: string, once: Once): Promise<Answered<R>> {
  const answer = await keptAnswer<R>(required(env.recordsTable), account, once);
  if (answer === undefined) throw new Error('An answer that was kept is gone');
  return answer;
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
): Promise<Fate | undefined> {
  let count = await guessCount(place);
  for (let tries = 1; tries <= triesMax; tries++) {
    const placing: Promise<Outcome<R>> = placeAt(collection, place.account, count, [{ draft }]);
    const [outcome] = await Promise.all([placing, lookForWaiting(place)]);
    if (outcome.kind === 'placed') {
      remember(place, count + 1);
      return { kind: 'placed', position: count, at: outcome.at };
    }
    if (outcome.kind === 'refused') {
      const by = outcome.taken.get(draft);
      return by === undefined ? { kind: 'repeated' } : { kind: 'taken', by };
    }
    noteConflict();
    if (outcome.count === undefined) await pause(conflictPauseMs * tries);
    count = outcome.count ?? (await readCount(place));
    remember(place, count);
  }
  return undefined;
}
