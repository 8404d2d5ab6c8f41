import { ApiError } from '../errors.ts';
import { append } from './append.ts';
import type { Collection, Content, Stored } from './collection.ts';
import { type Draft, newDraft, recordAt } from './draft.ts';
import { findByExternalId } from './find.ts';
import { assertFits } from './item.ts';
import { changeRecord } from './update.ts';

/** The whole state of a record as another system has it. */
export interface Entry<R extends Stored> {
  content: Content<R> & { external_id: string };
  /** When that system changed it, RFC 3339 UTC; without it the entry counts as new. */
  updatedAt: string | null;
}

/** What became of an entry. `outdated`: the record here is newer than the entry. */
export type Upserted<R extends Stored> =
  | { kind: 'created' | 'updated' | 'unchanged' | 'outdated'; record: R }
  | { kind: 'refused'; reason: string };

/** The most entries of one call: so many keys can be read at once. */
export const entriesMax = 100;

const updateTimeoutMs = 30_000;

/**
 * Creates the records that are not there yet and changes those that are, by their external ids. Doing it again changes
 * nothing.
 * @param entries at most `entriesMax`, all with different external ids
 * @returns what became of each, in the same order
 */
export async function upsertMany<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Upserted<R>[]> {
  const results = new Map<Entry<R>, Upserted<R>>();
  for (let rest = [...entries]; rest.length > 0; rest = rest.filter((entry) => !results.has(entry))) {
    const known = await findByExternalId(
      collection,
      account,
      rest.map(({ content }) => content.external_id),
    );
    const drafts = new Map<Draft<R>, Entry<R>>();
    await Promise.all(
      rest.map(async (entry) => {
        const record = known.get(entry.content.external_id);
        if (record)
          results.set(entry, await unlessRefused(() => bringUpToDate(collection, account, record, entry)));
        else draft(collection, entry, drafts, results);
      }),
    );
    // An entry whose external id somebody took in between is found there in the next round.
    for (const [made, fate] of await append(collection, account, [...drafts.keys()]))
      if (fate.kind === 'placed')
        results.set(drafts.get(made) as Entry<R>, {
          kind: 'created',
          record: recordAt(collection, made, fate.position),
        });
  }
  return entries.map((entry) => results.get(entry) as Upserted<R>);
}

function draft<R extends Stored>(
  collection: Collection<R>,
  entry: Entry<R>,
  drafts: Map<Draft<R>, Entry<R>>,
  results: Map<Entry<R>, Upserted<R>>,
): void {
  const made = newDraft<R>(entry.content, new Date(), entry.updatedAt ?? undefined);
  try {
    assertFits(collection, recordAt(collection, made, 0));
    drafts.set(made, entry);
  } catch (error) {
    results.set(entry, refusal(error));
  }
}

async function bringUpToDate<R extends Stored>(
  collection: Collection<R>,
  account: string,
  record: R,
  { content, updatedAt }: Entry<R>,
): Promise<Upserted<R>> {
  let outdated = false;
  const updated = await changeRecord(
    collection,
    account,
    record,
    (current) => {
      outdated = updatedAt !== null && updatedAt < current.updated_at;
      return outdated ? { content: current } : { content, ...(updatedAt === null ? {} : { updatedAt }) };
    },
    Date.now() + updateTimeoutMs,
  );
  if (outdated) return { kind: 'outdated', record: updated };
  return { kind: updated.version === record.version ? 'unchanged' : 'updated', record: updated };
}

async function unlessRefused<R extends Stored>(upsert: () => Promise<Upserted<R>>): Promise<Upserted<R>> {
  try {
    return await upsert();
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): { kind: 'refused'; reason: string } {
  if (error instanceof ApiError && error.status === 400) return { kind: 'refused', reason: error.message };
  throw error;
}
