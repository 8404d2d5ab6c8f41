import { ApiError } from '../../apiError.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { actionsMax } from '../../dynamodb/transact.ts';
import { describeError, log } from '../../log.ts';
import type { Collection, Content, Stored } from '../collection.ts';
import { append } from '../create/append.ts';
import { type Draft, newDraft, recordAt } from '../create/draft.ts';
import { assertFits, type State } from '../item.ts';
import { type Change, changeRecord } from '../update.ts';
import { findByExternalId } from './find.ts';

/** The whole state of a record as another system has it. */
export interface Entry<R extends Stored> {
  content: Content<R> & { external_id: string };
  /** When that system changed it, RFC 3339 UTC. `null` counts as the newest. */
  statedAt: string | null;
}

/** What became of an entry. `outdated`: the record was stated later than the entry. */
export type UpsertResult<R extends Stored> =
  | { kind: 'created' | 'updated' | 'unchanged' | 'outdated'; record: R }
  | { kind: 'refused'; reason: string };

/** The most entries that two transactions carry. A call with so many entries stores the most records in the least time. */
export const entriesMax = 2 * Math.floor((actionsMax - 1) / 2);

const updateTimeoutMs = 30_000;

/** A round without a result means that others took the external ids at the same moment. So many such rounds mean a fault. */
const roundsMax = 5;

/**
 * Creates the records that are missing and changes those that exist, by their external ids. A repetition changes nothing, and
 * an older state never replaces a newer one.
 * @param entries at most 100, which one batch can read, all with different external ids
 * @returns the result of each, in the same order
 */
export async function upsertMany<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<UpsertResult<R>[]> {
  const results: Results<R> = new Map();
  for (let round = 0; results.size < entries.length; round++) {
    if (round === roundsMax) throw new Error('Some external ids point to records that do not have them');
    const rest = entries.filter((entry) => !results.has(entry));
    await upsertRound(collection, account, rest, { results, deadline: Number.POSITIVE_INFINITY });
  }
  return entries.map((entry) => results.get(entry) as UpsertResult<R>);
}

type Results<R extends Stored> = Map<Entry<R>, UpsertResult<R>>;

/** So many failures, without a result between them, are a fault of ours. */
const failuresMax = 20;

/** About the pause before entries are tried again that failed. */
const failurePauseMs = 100;

/**
 * As `upsertMany`, up to a deadline. Entries that fail, or whose outcome is unknown, are tried again: to store one twice changes
 * nothing.
 * @param deadline epoch milliseconds
 * @returns the results; an entry without one was not certainly stored in time
 * @throws Error why entries failed again and again
 */
export async function upsertUntil<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
  deadline: number,
): Promise<Results<R>> {
  const results: Results<R> = new Map();
  for (let failures = 0; results.size < entries.length && Date.now() < deadline; ) {
    const rest = entries.filter((entry) => !results.has(entry));
    try {
      await upsertRound(collection, account, rest, { results, deadline });
    } catch (error) {
      failures = entries.length - results.size < rest.length ? 0 : failures + 1;
      if (failures === failuresMax) throw error;
      log.warn('records of a batch are tried again', { error: describeError(error) });
      await pause(failurePauseMs);
    }
  }
  return results;
}

/**
 * Adds the results of entries. One whose external id another process takes or moves meanwhile has none: the next round finds its
 * record.
 * @throws Error why an entry failed, when all others have been tried
 */
async function upsertRound<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
  { results, deadline }: { results: Results<R>; deadline: number },
): Promise<void> {
  const drafts = new Map<Draft<R>, Entry<R>>();
  const ids = entries.map(({ content }) => content.external_id);
  const known = await findByExternalId(collection, account, ids);
  const failures: unknown[] = [];
  await Promise.all(
    entries.map(async (entry) => {
      const state = known.get(entry.content.external_id);
      try {
        if (!state) {
          drafts.set(draftOf(collection, entry), entry);
          return;
        }
        const result = await bringUpToDate(collection, account, state, entry, { deadline });
        if (result) results.set(entry, result);
      } catch (error) {
        if (error instanceof ApiError && error.status === 400)
          results.set(entry, { kind: 'refused', reason: error.message });
        else failures.push(error);
      }
    }),
  );
  for (const [draft, outcome] of await append(collection, account, [...drafts.keys()], deadline))
    if (outcome.kind === 'committed')
      results.set(drafts.get(draft) as Entry<R>, {
        kind: 'created',
        record: recordAt(collection, draft, outcome),
      });
  if (failures.length > 0) throw failures[0];
}

/** @throws ApiError 400 when the record could not be stored */
export function draftOf<R extends Stored>(
  collection: Collection<R>,
  { content, statedAt }: Entry<R>,
): Draft<R> {
  const draft = newDraft<R>(content, statedAt === null ? {} : { statedAt });
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  return draft;
}

/** A change of a record that has lost the external id by which it was found. */
class ExternalIdMoved extends Error {}

/**
 * Replaces the content of a record that was found by its external id.
 * @param permit throws when the version must not be replaced
 * @returns undefined when the record has lost the external id meanwhile
 */
export async function bringUpToDate<R extends Stored>(
  collection: Collection<R>,
  account: string,
  state: State<R>,
  { content, statedAt }: Entry<R>,
  { deadline, permit = () => {} }: { deadline: number; permit?: (version: number) => void },
): Promise<Exclude<UpsertResult<R>, { kind: 'refused' }> | undefined> {
  let outdated = false;
  // Others may change the record before this takes effect. Their changes must not count as this one's.
  let before = state.record.version;
  const change: Change<R> = (current) => {
    if (current.record.external_id !== content.external_id) throw new ExternalIdMoved();
    permit(current.record.version);
    outdated = statedAt !== null && statedAt < (current.statedAt ?? '');
    before = current.record.version;
    return outdated ? { content: current.record } : { content, statedAt: statedAt ?? undefined };
  };
  try {
    const end = Math.min(deadline, Date.now() + updateTimeoutMs);
    const record = await changeRecord(collection, account, state, change, end);
    if (outdated) return { kind: 'outdated', record };
    return { kind: record.version === before ? 'unchanged' : 'updated', record };
  } catch (error) {
    if (error instanceof ExternalIdMoved) return undefined;
    throw error;
  }
}
