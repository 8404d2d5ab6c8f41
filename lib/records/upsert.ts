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
  /** When that system changed it, RFC 3339 UTC; without it the entry counts as the newest. */
  statedAt: string | null;
}

/** What became of an entry. `outdated`: what is here was stated later than the entry. */
export type Upserted<R extends Stored> =
  | { kind: 'created' | 'updated' | 'unchanged' | 'outdated'; record: R }
  | { kind: 'refused'; reason: string };

/** The most entries of one call: what two transactions carry, and no more than can be looked up at once. */
export const entriesMax = 2 * Math.floor((actionsMax - 1) / 2);

const updateTimeoutMs = 30_000;

/** A round in which nothing is done means that others took the external ids in just that moment; so many mean a fault. */
const roundsMax = 5;

/**
 * Creates the records that are not there yet and changes those that are, by their external ids. Doing it again changes
 * nothing, and an older state never replaces a newer one.
 * @param entries at most `entriesMax`, all with different external ids
 * @returns what became of each, in the same order
 */
export async function upsertMany<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Upserted<R>[]> {
  const results = new Map<Entry<R>, Upserted<R>>();
  for (let round = 0; results.size < entries.length; round++) {
    if (round === roundsMax) throw new Error('Some external ids point to records that do not have them');
    const rest = entries.filter((entry) => !results.has(entry));
    for (const [entry, result] of await upsertRound(collection, account, rest)) results.set(entry, result);
  }
  return entries.map((entry) => results.get(entry) as Upserted<R>);
}

/** What became of those entries whose external ids nobody else took meanwhile: those are found in the next round. */
async function upsertRound<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, Upserted<R>>> {
  const results = new Map<Entry<R>, Upserted<R>>();
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
        results.set(entry, refusal(error));
      }
    }),
  );
  for (const [draft, fate] of await append(collection, account, [...drafts.keys()]))
    if (fate.kind === 'placed')
      results.set(drafts.get(draft) as Entry<R>, {
        kind: 'created',
        record: recordAt(collection, draft, fate),
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
): Promise<Upserted<R>> {
  let outdated = false;
  // Others may change the record too before this takes effect, and their changes are not this one's.
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

function refusal(error: unknown): { kind: 'refused'; reason: string } {
  if (error instanceof ApiError && error.status === 400) return { kind: 'refused', reason: error.message };
  throw error;
}
