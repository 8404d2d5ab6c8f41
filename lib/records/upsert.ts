import { ApiError } from '../apiError.ts';
import { actionsMax } from '../dynamodb/transact.ts';
import type { Collection, Content, Stored } from './collection.ts';
import { append } from './create/append.ts';
import { type Draft, newDraft, recordAt } from './create/draft.ts';
import { findByExternalId } from './find.ts';
import { assertFits, type State } from './item.ts';
import { changeRecord } from './update.ts';

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

/** The most entries of one call: as many as two transactions carry, and no more than one batch can read. */
export const entriesMax = 2 * Math.floor((actionsMax - 1) / 2);

const updateTimeoutMs = 30_000;

/** A round without a result means that others took the external ids at the same moment. So many such rounds mean a fault. */
const roundsMax = 5;

/**
 * Creates the records that are missing and changes those that exist, by their external ids. A repetition changes nothing, and
 * an older state never replaces a newer one.
 * @param entries at most `entriesMax`, all with different external ids
 * @returns the result of each, in the same order
 */
export async function upsertMany<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<UpsertResult<R>[]> {
  const results = new Map<Entry<R>, UpsertResult<R>>();
  for (let round = 0; results.size < entries.length; round++) {
    if (round === roundsMax) throw new Error('Some external ids point to records that do not have them');
    const rest = entries.filter((entry) => !results.has(entry));
    for (const [entry, result] of await upsertRound(collection, account, rest)) results.set(entry, result);
  }
  return entries.map((entry) => results.get(entry) as UpsertResult<R>);
}

/** The results of entries. One whose external id another process takes meanwhile has none: the next round finds its record. */
async function upsertRound<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, UpsertResult<R>>> {
  const results = new Map<Entry<R>, UpsertResult<R>>();
  const drafts = new Map<Draft<R>, Entry<R>>();
  const ids = entries.map(({ content }) => content.external_id);
  const known = await findByExternalId(collection, account, ids);
  await Promise.all(
    entries.map(async (entry) => {
      const state = known.get(entry.content.external_id);
      try {
        if (state) results.set(entry, await bringUpToDate(collection, account, state, entry));
        else drafts.set(draftOf(collection, entry), entry);
      } catch (error) {
        results.set(entry, refusedResult(error));
      }
    }),
  );
  for (const [draft, outcome] of await append(collection, account, [...drafts.keys()]))
    if (outcome.kind === 'committed')
      results.set(drafts.get(draft) as Entry<R>, {
        kind: 'created',
        record: recordAt(collection, draft, outcome),
      });
  return results;
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

async function bringUpToDate<R extends Stored>(
  collection: Collection<R>,
  account: string,
  state: State<R>,
  { content, statedAt }: Entry<R>,
): Promise<UpsertResult<R>> {
  let outdated = false;
  // Others may change the record before this takes effect. Their changes must not count as this one's.
  let before = state.record.version;
  const record = await changeRecord(
    collection,
    account,
    state,
    (current) => {
      outdated = statedAt !== null && statedAt < (current.statedAt ?? '');
      before = current.record.version;
      return outdated ? { content: current.record } : { content, statedAt: statedAt ?? undefined };
    },
    Date.now() + updateTimeoutMs,
  );
  if (outdated) return { kind: 'outdated', record };
  return { kind: record.version === before ? 'unchanged' : 'updated', record };
}

function refusedResult(error: unknown): { kind: 'refused'; reason: string } {
  if (error instanceof ApiError && error.status === 400) return { kind: 'refused', reason: error.message };
  throw error;
}
