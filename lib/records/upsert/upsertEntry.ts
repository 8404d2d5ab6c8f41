import type { Origin } from '../../contract/origin.ts';
import { ApiError } from '../../errors/apiError.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import type { Links } from '../../schemas/mergeTerms.ts';
import { type Draft, newDraft, recordAt } from '../commitQueue/draft.ts';
import { beganAfter, type Merged, merge, type RecordMessage } from '../mergeMessage.ts';
import { assertFits, type State } from '../recordItem.ts';
import type { AccountCollection } from '../recordKeys.ts';
import { isOfClient } from '../recordOrigin.ts';
import type { Refused } from '../refusals.ts';
import type { SourceItem } from '../source.ts';
import { type ContentChange, changeRecord } from '../update.ts';

/** Returns the names by which an entry is found, and the names that it assigns to its record. */
export const namesOf = ({ content: { external_id }, sourceId, terms }: UpsertEntry<Stored>): string[] => [
  ...(external_id === null ? [] : [`external ${external_id}`]),
  ...(sourceId === undefined ? [] : [`source ${sourceId}`]),
  ...(terms?.recordId === undefined ? [] : [`record ${terms.recordId}`]),
];

/** A record message with its author. Without `sourceId` it has an external id, which identifies its record. */
export interface UpsertEntry<R extends Stored> extends RecordMessage<R> {
  /** The author of the content. The content of a client replaces everything. */
  origin: Origin;
}

/** The fields for which a message contradicts an edit by a client: the edits that it kept and the edits that it overwrote. */
export type EditsMet = Partial<Pick<Merged<Stored>, 'kept' | 'overwritten'>>;

/** The result of an entry. `outdated`: the entry is older than the last message about the record, or than the deletion of its row. */
export type UpsertResult<R extends Stored> =
  | ({ kind: 'created' | 'updated' | 'unchanged'; record: R } & EditsMet)
  | { kind: 'outdated' }
  | Refused;

/** @throws ApiError 400 if the record could not be stored */
export function toDraft<R extends Stored>(
  collection: Collection<R>,
  entry: UpsertEntry<R>,
  nameItem?: SourceItem,
): Draft<R> {
  const draft = newDraft<R>(entry.content, { ...besidesContent(entry), origin: entry.origin, nameItem });
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  return draft;
}

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
