import type { Origin } from '../../contract/origin.ts';
import { ApiError } from '../../errors/apiError.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import type { Links } from '../../values/mergeTerms.ts';
import { type Draft, newDraft, recordAt } from '../commitQueue/draft.ts';
import { assertFits, type State } from '../item.ts';
import type { AccountCollection } from '../keys.ts';
import { beganAfter, type Merged, merge, type RecordMessage } from '../mergeMessage.ts';
import { isOfClient } from '../origin.ts';
import type { Refused } from '../refusals.ts';
import type { SourceItem } from '../source.ts';
import { type ContentChange, changeRecord } from '../update.ts';

/** The names by which an entry is found, or that it gives its record. */
export const namesOf = ({ content: { external_id }, sourceId, terms }: UpsertEntry<Stored>): string[] => [
  ...(external_id === null ? [] : [`external ${external_id}`]),
  ...(sourceId === undefined ? [] : [`source ${sourceId}`]),
  ...(terms?.recordId === undefined ? [] : [`record ${terms.recordId}`]),
];

/** A record message with its author. One without `sourceId` has an external id, by which its record is found. */
export interface UpsertEntry<R extends Stored> extends RecordMessage<R> {
  /** Whose state it is. That of a client replaces everything. */
  origin: Origin;
}

/** The fields of which a message contradicts an edit by a client: those whose edit stays, and those that it has overwritten. */
export type EditsMet = Partial<Pick<Merged<Stored>, 'kept' | 'overwritten'>>;

/** The result of an entry. `outdated`: it is older than the last message about the record, or than the deletion of its row. */
export type UpsertResult<R extends Stored> =
  | ({ kind: 'created' | 'updated' | 'unchanged'; record: R } & EditsMet)
  | { kind: 'outdated' }
  | Refused;

/** @throws ApiError 400 when the record could not be stored */
export function toDraft<R extends Stored>(
  collection: Collection<R>,
  entry: UpsertEntry<R>,
  at?: SourceItem,
): Draft<R> {
  const draft = newDraft<R>(entry.content, { ...besidesContent(entry), origin: entry.origin, at });
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  return draft;
}

/** What a record takes over from a message besides its content. */
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

/** A field that a client has written since keeps the record that the client names. */
const linksBut = (kept: readonly string[], links: Links = {}): Links =>
  Object.fromEntries(Object.entries(links).filter(([field]) => !kept.includes(field)));

const updateTimeoutMs = 30_000;

/** A change of a record that is no longer that of its entry. */
class NoLongerIts extends Error {}

/**
 * Brings a record up to date that was found by its external id, or by what the product calls it.
 * @param at the item at its source id as it was read, when it gets that
 * @param permit throws when the version must not be replaced
 * @returns undefined when the record has lost the external id meanwhile, was deleted, or is of another row by now
 */
export async function bringUpToDate<R extends Stored>(
  ref: AccountCollection<R>,
  state: State<R>,
  entry: UpsertEntry<R>,
  {
    deadline,
    at,
    permit = () => {},
  }: { deadline: number; at?: SourceItem | undefined; permit?: (version: number) => void },
): Promise<Exclude<UpsertResult<R>, { kind: 'refused' }> | undefined> {
  const { collection } = ref;
  const { content, origin, sourceId, terms } = entry;
  const byClient = isOfClient(origin);
  let merged: Merged<R> | undefined;
  // Others may change the record before this takes effect. Their changes must not count as this one's.
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
      at,
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
