import type { Origin } from '../../contract/origin.ts';
import { type IdempotentAnswer, type IdempotentRequest, readAnswer } from '../../dynamodb/idempotency.ts';
import { records } from '../../dynamodb/tables.ts';
import { noteConflict } from '../../logs/metrics.ts';
import type { Content, Stored } from '../../resources/collection.ts';
import { type Counter, counters, isLed, readCounter } from '../counter.ts';
import { type Draft, newDraft, recordAt } from '../recordItem.ts';
import type { AccountCollection } from '../recordKeys.ts';
import { externalIdTaken } from '../refusals.ts';
import { type CommitOutcome, commitAt } from './commit.ts';
import { createInGroup } from './follower.ts';
import { checkQueue, type DraftOutcome, hasOtherWriters, isContended, noteOtherWriters } from './queue.ts';

/**
 * Creates a record at the end of an account's collection for a client, in one transaction. It first commits alone, which is fastest if nobody
 * else creates records on the account. If other creates are faster, it commits in a group with them.
 * @param deadline epoch milliseconds; a record that is not committed by then never will be
 * @param once gives repeated requests one effect and the same response
 * @throws ApiError 400 if the external id belongs to another record or the record is too large for a list, 422 if the request repeats another
 *   one with a different body, 404 if it repeats one whose record was deleted
 */
export async function createRecord<R extends Stored>(
  ref: AccountCollection<R>,
  content: Content<R>,
  { deadline, origin, once }: { deadline: number; origin: Origin; once?: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<R>> {
  const { collection, account } = ref;
  const draft = newDraft(collection, content, { origin, once });
  const outcome = await commitDraft(ref, draft, deadline);
  if (outcome.kind === 'taken') throw externalIdTaken(collection, content.external_id as string, outcome.by);
  if (outcome.kind === 'repeated') return repeatedAnswer(account, once as IdempotentRequest);
  return { body: recordAt(collection, draft, outcome), replayed: false };
}

/** Commits a draft alone or in a group. @throws Error at the deadline; the draft is then never committed */
export async function commitDraft<R extends Stored>(
  ref: AccountCollection<R>,
  draft: Draft<R>,
  deadline: number,
): Promise<DraftOutcome> {
  const alone = isContended(ref) ? undefined : await createAlone(ref, draft);
  return alone ?? createInGroup(ref, draft, deadline);
}

async function repeatedAnswer<R>(account: string, once: IdempotentRequest): Promise<IdempotentAnswer<R>> {
  const answer = await readAnswer<R>(records, account, once);
  if (answer === undefined) throw new Error('The kept answer of a repeated request is gone');
  return answer;
}

/** With few other writers, a second attempt is faster than the queue. */
const triesMax = 2;

/**
 * Commits with the count that this process remembers. If other processes create now and then, it reads the count first. If the count is out of
 * date, it retries with the count from the refusal. A conflict returns no count, because another transaction is committing at this moment.
 * @returns undefined if others were faster, or if a leader is committing the queue: a direct commit would only disturb it
 */
async function createAlone<R extends Stored>(
  ref: AccountCollection<R>,
  draft: Draft<R>,
): Promise<DraftOutcome | undefined> {
  const known = hasOtherWriters(ref) ? undefined : counters.get(ref);
  let counter: Counter | undefined = known ?? (await readCounter(ref));
  for (let tries = 1; tries <= triesMax && counter && !isLed(counter); tries++) {
    const commit: Promise<CommitOutcome<R>> = commitAt(ref, counter, [{ draft }]);
    const [outcome] = await Promise.all([commit, checkQueue(ref)]);
    if (outcome.kind === 'committed') {
      counters.set(ref, { count: outcome.first + 1, at: outcome.at });
      return { kind: 'committed', position: outcome.first, at: outcome.at };
    }
    if (outcome.kind === 'refused') return outcome.outcomes.get(draft);
    noteConflict();
    noteOtherWriters(ref);
    counter = outcome.counter;
    if (counter) counters.set(ref, counter);
  }
  return undefined;
}
