import type { Origin } from '../../contract/origin.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import type { Item } from '../../dynamodb/item.ts';
import { actionsMax, transactionBytesMax } from '../../dynamodb/transact.ts';
import { ApiError } from '../../errors/apiError.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Content, Stored } from '../../resources/collection.ts';
import { RefusedEntry } from '../../schemas/batch.ts';
import { append } from '../commitQueue/append.ts';
import { commitDraft } from '../commitQueue/create.ts';
import { bytesOf, type Draft, recordAt } from '../commitQueue/draft.ts';
import { deleteAsRead } from '../deletion/deleteRecord.ts';
import type { AccountCollection, CollectionRef } from '../recordKeys.ts';
import { type FoundRecord, findByExternalId, findRecords } from './find.ts';
import { bringUpToDate, toDraft, type UpsertEntry, type UpsertResult } from './upsertEntry.ts';

/**
 * The most client entries that fit into two transactions. Entries of your app check the note at their name, so they take three transactions. A
 * call with this many entries stores the most records in the least time.
 */
export const entriesMax = 2 * Math.floor((actionsMax - 1) / 2);

/** In a round without a result, others took the external ids at the same moment. This many such rounds are a bug. */
const roundsMax = 5;

/**
 * Creates missing records and changes existing ones, by their external ids. A repeated call has no effect. Old states never replace newer ones.
 * @param entries at most 100, which one batch can read, all with different names (`namesOf`)
 * @returns the result of each entry, in the same order
 */
export async function upsertMany<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly UpsertEntry<R>[],
): Promise<UpsertResult<R>[]> {
  const results: Results<R> = new Map();
  for (let rounds = 0; results.size < entries.length; ) {
    const before = results.size;
    await upsertRound(ref, nextOf(entries, results), {
      results,
      deadline: Number.POSITIVE_INFINITY,
    });
    rounds = results.size > before ? 0 : rounds + 1;
    if (rounds === roundsMax) throw new Error('Some external ids point to records that do not have them');
  }
  return entries.map((entry) => results.get(entry) as UpsertResult<R>);
}

type Results<R extends Stored> = Map<UpsertEntry<R>, UpsertResult<R>>;

/**
 * Returns the entries of the next round: those without a result, as many as fill two transactions. One call reads all records of a round, and
 * they are changed at the same time. For a hundred large orders, a single round would take longer than the client waits for a response.
 */
function nextOf<R extends Stored>(
  entries: readonly UpsertEntry<R>[],
  results: Results<R>,
): readonly UpsertEntry<R>[] {
  const left = entries.filter((entry) => !results.has(entry));
  let bytes = 0;
  const end = left.findIndex((entry, i) => {
    bytes += bytesOf(entry);
    return i > 0 && bytes > 2 * transactionBytesMax;
  });
  return end < 0 ? left : left.slice(0, end);
}

/** This many failures without a result between them are an internal error. */
const failuresMax = 20;

/** The average pause before failed entries are retried. */
const failurePauseMs = 100;

/**
 * Stores entries like `upsertMany`, up to a deadline. It retries entries that failed or whose outcome is unknown. Storing one twice is
 * harmless.
 * @returns the results; an entry without a result may not have been stored in time
 * @throws Error the reason why entries failed repeatedly
 */
export async function upsertUntil<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly UpsertEntry<R>[],
  deadline: number,
): Promise<Results<R>> {
  const results: Results<R> = new Map();
  for (let failures = 0; results.size < entries.length && Date.now() < deadline; ) {
    const before = results.size;
    try {
      await upsertRound(ref, nextOf(entries, results), { results, deadline });
    } catch (error) {
      failures = results.size > before ? 0 : failures + 1;
      if (failures === failuresMax) throw error;
      log.warn('records of a batch are tried again', { error: describeError(error) });
      await pause(failurePauseMs);
    }
  }
  return results;
}

/**
 * Adds the results of entries. If another process takes or moves an external id during the round, its entry gets no result until the next
 * round.
 * @throws Error the reason why an entry failed, after all others were tried
 */
async function upsertRound<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly UpsertEntry<R>[],
  { results, deadline }: { results: Results<R>; deadline: number },
): Promise<void> {
  const { collection } = ref;
  const drafts = new Map<Draft<R>, UpsertEntry<R>>();
  const known = await findRecords(ref, entries);
  const failures: unknown[] = [];
  const work = async (entry: UpsertEntry<R>): Promise<UpsertResult<R> | undefined> => {
    const found = known.get(entry) as FoundRecord<R>;
    if (found.kind === 'taken') throw found.error;
    if (found.kind === 'refused' || found.kind === 'outdated') return found;
    if (found.kind === 'record')
      return bringUpToDate(ref, found.state, entry, { deadline, nameItem: found.nameItem });
    if (found.kind === 'none') drafts.set(toDraft(collection, entry, found.nameItem), entry);
    else await deleteBefore(ref, entry, found.item);
    return undefined;
  };
  await Promise.all(
    entries.map(async (entry) => {
      try {
        const result = await work(entry);
        if (result) results.set(entry, result);
      } catch (error) {
        if (error instanceof ApiError && [400, 404].includes(error.status))
          results.set(entry, { kind: 'refused', reason: error.kept?.message ?? error.message });
        else failures.push(error);
      }
    }),
  );
  for (const [draft, outcome] of await append(ref, [...drafts.keys()], deadline))
    if (outcome.kind === 'committed')
      results.set(drafts.get(draft) as UpsertEntry<R>, {
        kind: 'created',
        record: recordAt(collection, draft, outcome),
      });
  if (failures.length > 0) throw failures[0];
}

/** Deletes the record of an earlier row whose deletion is late, before the record of the row that began after it is created. */
async function deleteBefore<R extends Stored>(
  ref: CollectionRef,
  { origin, terms }: UpsertEntry<R>,
  item: Item,
): Promise<void> {
  await deleteAsRead(ref, item, { origin, revision: (terms?.firstRevision as number) - 1 });
}

/** The result of an entry of a batch; `unreached` if it was not reached in time, or its outcome is unknown. */
export type BatchOutcome<R extends Stored> = RefusedEntry | UpsertResult<R> | { kind: 'unreached' };

/** Creates or replaces the records of a batch independently. @returns the outcome of each, in the same order */
export async function upsertBatch<R extends Stored>(
  ref: AccountCollection<R>,
  batch: readonly (UpsertEntry<R>['content'] | RefusedEntry)[],
  { deadline, origin }: { deadline: number; origin: Origin },
): Promise<BatchOutcome<R>[]> {
  const entries = batch.map((one): UpsertEntry<R> | RefusedEntry =>
    one instanceof RefusedEntry ? one : { content: one, rowAt: null, origin },
  );
  const valid = entries.filter((one): one is UpsertEntry<R> => !(one instanceof RefusedEntry));
  const results = await upsertUntil(ref, valid, deadline);
  return entries.map((one) =>
    one instanceof RefusedEntry ? one : (results.get(one) ?? { kind: 'unreached' }),
  );
}

/** The average pause after others took or moved the external id, random so that the same requests do not collide again. */
const conflictPauseMs = 20;

/**
 * Creates the record with an external id, or replaces its content. A repeated call has no effect.
 * @param permit throws if the version must not be replaced, or with `undefined` if the record must not be created
 * @throws ApiError 400 if the record is too large for a list, and whatever `permit` throws
 */
export async function upsertRecord<R extends Stored>(
  ref: AccountCollection<R>,
  content: Content<R> & { external_id: string },
  {
    deadline,
    origin,
    permit,
  }: { deadline: number; origin: Origin; permit: (version: number | undefined) => void },
): Promise<{ record: R; isNew: boolean }> {
  const { collection } = ref;
  const entry: UpsertEntry<R> = { content, rowAt: null, origin };
  const draft = toDraft(collection, entry);
  while (Date.now() < deadline) {
    const found = await findByExternalId(ref, [content.external_id]);
    const state = found.get(content.external_id);
    if (state) {
      const result = await bringUpToDate(ref, state, entry, { deadline, permit });
      if (result && result.kind !== 'outdated') return { record: result.record, isNew: false };
    } else {
      permit(undefined);
      const outcome = await commitDraft(ref, draft, deadline);
      if (outcome.kind === 'committed') return { record: recordAt(collection, draft, outcome), isNew: true };
    }
    await pause(conflictPauseMs);
  }
  throw new Error('The deadline passed while others took the same external id');
}
