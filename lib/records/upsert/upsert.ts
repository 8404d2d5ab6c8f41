import type { Origin } from '../../contract/origin.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { actionsMax, transactionBytesMax } from '../../dynamodb/transact.ts';
import { ApiError } from '../../errors/apiError.ts';
import { describeError, log } from '../../logs/log.ts';
import type { Collection, Content, Stored } from '../../resources/collection.ts';
import { RefusedEntry } from '../../schemas/batch.ts';
import type { Links } from '../../schemas/mergeTerms.ts';
import { append } from '../commitQueue/append.ts';
import { commitDraft } from '../commitQueue/create.ts';
import { deleteAsRead } from '../deletion/deleteRecord.ts';
import { beganAfter, type Merged, merge, type UpsertEntry } from '../mergeMessage.ts';
import { bytesOf, type Draft, newDraft, recordAt, type State } from '../recordItem.ts';
import type { AccountCollection } from '../recordKeys.ts';
import { isOfClient } from '../recordOrigin.ts';
import type { Refused } from '../refusals.ts';
import type { SourceItem } from '../source.ts';
import { type ContentChange, changeRecord } from '../update.ts';
import { type FoundRecord, findByExternalId, findRecords } from './find.ts';

/** The fields for which a message contradicts an edit by a client: the edits that it kept and the edits that it overwrote. */
export type EditsMet = Partial<Pick<Merged<Stored>, 'kept' | 'overwritten'>>;

/** The result of an entry. `outdated`: the entry is older than the last message about the record, or than the deletion of its row. */
export type UpsertResult<R extends Stored> =
  | ({ kind: 'created' | 'updated' | 'unchanged'; record: R } & EditsMet)
  | { kind: 'outdated' }
  | Refused;

/**
 * The most client entries that fit into two transactions. Entries of your app check the note at their name, so they take three transactions. A
 * call with this many entries stores the most records in the least time.
 */
export const entriesMax = 2 * Math.floor((actionsMax - 1) / 2);

/** In a round without a result, others took the external ids at the same moment. This many such rounds are a bug. */
const roundsMax = 5;

/**
 * Creates missing records and changes existing ones, by their external ids. A repeated call has no effect. Old states never replace newer ones.
 * @param entries at most 100, which one batch can read, all with different names
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
    if (found.kind === 'refused' || found.kind === 'outdated') return found;
    if (found.kind === 'record')
      return bringUpToDate(ref, found.state, entry, { deadline, nameItem: found.nameItem });
    if (found.kind === 'none') drafts.set(toDraft(collection, entry, found.nameItem), entry);
    else {
      // The deletion of the earlier row is late. Its record is deleted before that of the row which began after it is created.
      const revision = (entry.terms?.firstRevision as number) - 1;
      await deleteAsRead(ref, found.item, { origin: entry.origin, revision });
    }
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

/** @throws ApiError 400 if the record would be larger than its collection allows */
const toDraft = <R extends Stored>(
  collection: Collection<R>,
  entry: UpsertEntry<R>,
  nameItem?: SourceItem,
): Draft<R> =>
  newDraft(collection, entry.content, { ...besidesContent(entry), origin: entry.origin, nameItem });

/** Returns the attributes that a record takes from a message, apart from its content. */
const besidesContent = ({ content, origin, rowAt, sourceId, terms }: UpsertEntry<Stored>) => ({
  rowAt: rowAt ?? undefined,
  sourceId,
  sentAs:
    sourceId !== undefined || isOfClient(origin) || content.external_id === null
      ? undefined
      : [content.external_id],
  revision: terms?.revision,
  firstRevision: terms?.firstRevision,
  links: terms?.links,
});

/** Returns the links, except those of kept fields. A field that a client has edited since keeps the client's link. */
const linksBut = (kept: readonly string[], links: Links = {}): Links =>
  Object.fromEntries(Object.entries(links).filter(([field]) => !kept.includes(field)));

const updateTimeoutMs = 30_000;

/** Thrown if a record no longer belongs to its entry. */
class NoLongerIts extends Error {}

/**
 * Updates a record that was found by its external id or by your app's names for it.
 * @param nameItem the item at its source id as it was read, if the record gets this source id
 * @param permit throws if the version must not be replaced
 * @returns undefined if the record has since lost the external id, was deleted, or belongs to another row by now
 */
export async function bringUpToDate<R extends Stored>(
  ref: AccountCollection<R>,
  state: State<R>,
  entry: UpsertEntry<R>,
  {
    deadline,
    nameItem,
    permit = () => {},
  }: { deadline: number; nameItem?: SourceItem | undefined; permit?: (version: number) => void },
): Promise<Exclude<UpsertResult<R>, { kind: 'refused' }> | undefined> {
  const { collection } = ref;
  const { content, origin, sourceId, terms } = entry;
  const byClient = isOfClient(origin);
  let merged: Merged<R> | undefined;
  // Others may change the record before this change takes effect. Their changes must not count as this one's.
  let before = state.record.version;
  const change: ContentChange<R> = (current) => {
    if (
      sourceId === undefined
        ? current.record.external_id !== content.external_id
        : current.sourceId !== undefined &&
          (current.sourceId !== sourceId || beganAfter(current, terms ?? {}))
    )
      throw new NoLongerIts();
    permit(current.record.version);
    before = current.record.version;
    if (byClient) return { content };
    merged = merge(collection, current, entry);
    if (!merged) return { content: current.record };
    return {
      content: merged.content,
      ...besidesContent(entry),
      links: linksBut(merged.kept, terms?.links),
      nameItem,
      overwrites: merged.overwritten.length > 0,
    };
  };
  try {
    const end = Math.min(deadline, Date.now() + updateTimeoutMs);
    const record = await changeRecord(ref, state, change, { deadline: end, origin });
    if (!merged && !byClient) return { kind: 'outdated' };
    const { kept, overwritten } = merged ?? {};
    return {
      kind: record.version === before ? 'unchanged' : 'updated',
      record,
      ...(kept?.length ? { kept } : {}),
      ...(overwritten?.length ? { overwritten } : {}),
    };
  } catch (error) {
    if (error instanceof NoLongerIts || (error instanceof ApiError && error.status === 404)) return undefined;
    throw error;
  }
}

/** The result of an entry of a batch; `unreached` if it was not reached in time, or its outcome is unknown. */
export type BatchOutcome<R extends Stored> = RefusedEntry | UpsertResult<R> | { kind: 'unreached' };

/** This many failures without a result between them are an internal error. */
const failuresMax = 20;

/** The average pause before failed entries are retried. */
const failurePauseMs = 100;

/**
 * Creates or replaces the records of a batch independently, up to a deadline. It retries entries that failed or whose outcome is unknown. Storing
 * one twice is harmless.
 * @returns the outcome of each, in the same order
 * @throws Error the reason why entries failed repeatedly
 */
export async function upsertBatch<R extends Stored>(
  ref: AccountCollection<R>,
  batch: readonly (UpsertEntry<R>['content'] | RefusedEntry)[],
  { deadline, origin }: { deadline: number; origin: Origin },
): Promise<BatchOutcome<R>[]> {
  const entries = batch.map((one): UpsertEntry<R> | RefusedEntry =>
    one instanceof RefusedEntry ? one : { content: one, rowAt: null, origin },
  );
  const valid = entries.filter((one): one is UpsertEntry<R> => !(one instanceof RefusedEntry));
  const results: Results<R> = new Map();
  for (let failures = 0; results.size < valid.length && Date.now() < deadline; ) {
    const before = results.size;
    try {
      await upsertRound(ref, nextOf(valid, results), { results, deadline });
    } catch (error) {
      failures = results.size > before ? 0 : failures + 1;
      if (failures === failuresMax) throw error;
      log.warn('records of a batch are tried again', { error: describeError(error) });
      await pause(failurePauseMs);
    }
  }
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
