import type { Origin } from '../../contract/origin.ts';
import type { Collection, Content, Stored } from '../../resources/collection.ts';
import { type Draft, newDraft, recordAt } from '../create/draft.ts';
import { assertFits, type State } from '../item.ts';
import { type Change, changeRecord } from '../update.ts';

/** The whole state of a record as another system has it. */
export interface Entry<R extends Stored> {
  content: Content<R> & { external_id: string };
  /** When that system changed it, RFC 3339 UTC. `null` counts as the newest. */
  statedAt: string | null;
  /** Whose state it is. */
  origin: Origin;
}

/** What became of an entry. `outdated`: the record was stated later than the entry. */
export type UpsertResult<R extends Stored> =
  | { kind: 'created' | 'updated' | 'unchanged' | 'outdated'; record: R }
  | { kind: 'refused'; reason: string };

/** @throws ApiError 400 when the record could not be stored */
export function draftOf<R extends Stored>(
  collection: Collection<R>,
  { content, statedAt, origin }: Entry<R>,
): Draft<R> {
  const draft = newDraft<R>(content, statedAt === null ? { origin } : { statedAt, origin });
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  return draft;
}

const updateTimeoutMs = 30_000;

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
  { content, statedAt, origin }: Entry<R>,
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
    const record = await changeRecord(collection, account, state, change, { deadline: end, origin });
    if (outdated) return { kind: 'outdated', record };
    return { kind: record.version === before ? 'unchanged' : 'updated', record };
  } catch (error) {
    if (error instanceof ExternalIdMoved) return undefined;
    throw error;
  }
}
