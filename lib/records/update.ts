import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import { type ConditionFailure, pause } from '../dynamodb/conflicts.ts';
import { records } from '../dynamodb/tables.ts';
import { type Action, type ActionOf, transact, writeUpdate } from '../dynamodb/transact.ts';
import { notFound } from '../errors/apiError.ts';
import { base32 } from '../ids.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import { type Links, linkFields } from '../schemas/mergeTerms.ts';
import { putPointer } from './commitQueue/commit.ts';
import { edited } from './edits.ts';
import { getState } from './get.ts';
import { positionOf } from './position.ts';
import {
  assertFits,
  type Draft,
  isDeleted,
  latest,
  linkAttributes,
  type State,
  toAttributes,
  toRecord,
  toState,
} from './recordItem.ts';
import { type AccountCollection, pointerKey, recordKey, resourceName } from './recordKeys.ts';
import { isOfClient } from './recordOrigin.ts';
import { externalIdTaken } from './refusals.ts';
import { putSource, type SourceItem } from './source.ts';

/** The content after a change, and what else a record message changes. A link that is missing here stays unchanged. */
interface ChangedContent<R extends Stored> extends Omit<Draft<R>, 'seed' | 'origin' | 'once'> {
  /** Whether the change overwrites edits by clients without knowing them. */
  overwrites?: boolean | undefined;
}

export type ContentChange<R extends Stored> = (current: State<R>) => ChangedContent<R>;

interface ChangeOptions {
  deadline: number;
  origin: Origin;
}

/** Changes the record with an id. @throws ApiError like `getRecord` and `changeRecord` */
export async function updateRecord<R extends Stored>(
  ref: AccountCollection<R>,
  id: string,
  change: ContentChange<R>,
  options: ChangeOptions,
): Promise<R> {
  return changeRecord(ref, await getState(ref, id), change, options);
}

/** The average pause after a lost race, random so that the same changes do not collide again. */
const conflictPauseMs = 20;

/**
 * Changes a record that was read as `known`. If another change was faster, it applies this one again to the new state, so no change is lost. If
 * nothing changes, it writes nothing.
 * @throws ApiError 400 if the external id belongs to another record, and whatever `change` throws
 */
export async function changeRecord<R extends Stored>(
  ref: AccountCollection<R>,
  known: State<R>,
  change: ContentChange<R>,
  { deadline, origin }: ChangeOptions,
): Promise<R> {
  const { collection } = ref;
  let current = known;
  while (Date.now() < deadline) {
    const changed = change(current);
    const next = stateAfter(collection, current, changed, origin);
    if (next === current) return current.record;
    assertFits(collection, next.record);
    const outcome = await replaceState(ref, current, next, changed.nameItem);
    if (outcome.kind === 'replaced') return next.record;
    noteConflict();
    if (outcome.kind === 'contended') await pause(conflictPauseMs);
    current = outcome.kind === 'overtaken' ? outcome.by : await getState(ref, current.record.id);
  }
  throw new Error('The deadline passed while others changed the same record');
}

/** How many of the names are kept under which a record was sent. A record gets another name when a client changes its external id. */
const sentAsMax = 5;

/** Returns the state after a change, or the same state if there is nothing to write. */
function stateAfter<R extends Stored>(
  collection: Collection<R>,
  current: State<R>,
  { content, rowAt, sourceId, revision, firstRevision, sentAs = [], links, overwrites }: ChangedContent<R>,
  origin: Origin,
): State<R> {
  const { record, edits } = current;
  const isSame = isDeepStrictEqual({ ...record, ...content }, record);
  const isLinked = sourceId !== undefined && sourceId !== current.sourceId;
  // Another row of your app begins with its own revisions and times.
  const before = isLinked ? { rowAt: undefined, revision: undefined, firstRevision: undefined } : current;
  const isNewer = rowAt !== undefined && rowAt > (before.rowAt ?? '');
  const isNext = revision !== undefined && revision > (before.revision ?? -1);
  const after = { ...current.links, ...(isOfClient(origin) ? endedLinks(record, content) : {}), ...links };
  const isRepointed = !isDeepStrictEqual(linkAttributes(after), linkAttributes(current.links));
  const isNamed = sentAs.some((name) => !current.sentAs?.includes(name));
  if (isSame && !isNewer && !isNext && !isLinked && !isRepointed && !isNamed) return current;
  const version = record.version + 1;
  const at = latest(record.updated_at, new Date().toISOString());
  return {
    record: isSame ? record : toRecord(collection, { ...record, ...content, version, updated_at: at }),
    rowAt: isNewer ? rowAt : before.rowAt,
    origin: isSame ? current.origin : origin,
    sourceId: sourceId ?? current.sourceId,
    revision: isNext ? revision : before.revision,
    firstRevision: firstRevision ?? before.firstRevision,
    sentAs: isNamed ? [...(current.sentAs ?? []), ...sentAs].slice(-sentAsMax) : current.sentAs,
    links: after,
    overwritten: overwrites ? version : current.overwritten,
    edits: isOfClient(origin)
      ? edited(collection, edits, [record, { ...record, ...content }], { version, at })
      : edits,
  };
}

/** Your app's own id determines the record that a field names, until a client names another record. */
const endedLinks = (record: object, content: object): Links =>
  Object.fromEntries(
    linkFields
      .filter((field) => field in content && (content as Links)[field] !== (record as Links)[field])
      .map((field) => [field, null]),
  );

type ReplaceResult<R extends Stored> =
  | { kind: 'replaced' }
  /** Another change was faster. `by` is the state that it made. */
  | { kind: 'overtaken'; by: State<R> }
  /** Another transaction was writing the same items. */
  | { kind: 'contended' };

/**
 * Replaces `current` with `next`, if `current` is still stored. The pointers of external ids change in the same transaction.
 * @param nameItem the item at the source id that the record gets, as it was read
 * @throws ApiError 400 if the external id belongs to another record, 404 if the record does not exist, was deleted, or cannot get its source id
 *   because the item at the source id has changed
 */
export async function replaceState<R extends Stored>(
  ref: AccountCollection<R>,
  current: State<R>,
  next: State<R>,
  nameItem?: SourceItem,
): Promise<ReplaceResult<R>> {
  // A write of only `rowAt`, `revision` or `sourceId` does not change the record. It may happen twice, and it keeps the mark.
  const isChange = next.record.version > current.record.version;
  const mark = isChange ? base32(randomBytes(10)) : undefined;
  const update = updateOf(ref, current, next, mark);
  const { refused } =
    current.record.external_id === next.record.external_id && current.sourceId === next.sourceId
      ? await writeUpdate(update)
      : await moveWithPointers(ref, [current, next], update, nameItem);
  if (refused === 'contended') return { kind: 'contended' };
  if (!refused) return { kind: 'replaced' };
  if (refused.item?.id !== next.record.id || isDeleted(refused.item))
    throw notFound(resourceName(ref), next.record.id);
  // If the response is lost, the SDK repeats the write, and the retry meets the effect of the first one.
  if (isChange && refused.item.mark === mark) return { kind: 'replaced' };
  // Another change has made the version that this one would have made, or a later one. Nobody knows whether this change took effect before, so
  // neither "replaced" nor "overtaken" would be true.
  if (refused.repeated && isChange && (refused.item.version as number) > next.record.version)
    throw new Error(
      'Whether a change took effect is unknown: its answer got lost, and others changed the record since',
    );
  return { kind: 'overtaken', by: toState(ref.collection, refused.item) };
}

/** @returns the result of `writeUpdate` for the record; contended if another transaction is writing the same items */
async function moveWithPointers<R extends Stored>(
  ref: AccountCollection<R>,
  [current, next]: readonly [State<R>, State<R>],
  update: Action,
  nameItem: SourceItem | undefined,
): Promise<{ refused?: ConditionFailure | 'contended' }> {
  const { external_id: before } = current.record;
  const { external_id: after, id } = next.record;
  const isMoved = before !== after;
  const { refused } = await transact([
    update,
    ...(next.sourceId === undefined || next.sourceId === current.sourceId
      ? []
      : [putSource(ref, next.sourceId, id, nameItem)]),
    ...(after === null || !isMoved ? [] : [putPointer(ref, after, id)]),
    ...(before === null || !isMoved ? [] : [records.delete(pointerKey(ref, before))]),
  ]);
  if (!refused) return {};
  const [record] = refused;
  const taken = refused.find(({ kind }, i) => i > 0 && kind === 'refused');
  // The transaction's token makes a retry the same transaction.
  if (record?.kind === 'refused') return { refused: { item: record.item, repeated: false } };
  // An identical request may just have taken the external id for the same record.
  const by = taken?.kind === 'refused' ? (taken.item?.id as string) : id;
  if (by === id) return { refused: 'contended' };
  // Another process took the source id. The caller found the record by it, so this error makes the caller search again.
  if (taken?.kind === 'refused' && String(taken.item?.pk).includes('#source#'))
    throw notFound(resourceName(ref), id);
  throw externalIdTaken(ref, after as string, by);
}

/**
 * Writes only the attributes that differ, so that attributes of a newer release survive a change by an older release.
 * @param mark identifies the write that made a version, even among identical changes at the same moment
 */
function updateOf<R extends Stored>(
  ref: AccountCollection<R>,
  current: State<R>,
  next: State<R>,
  mark: string | undefined,
): ActionOf<'Update'> {
  const { collection } = ref;
  const [before, after] = [toAttributes(collection, current), toAttributes(collection, next)];
  const changed = Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name]]),
  );
  const { id, version } = current.record;
  // A record message may change these without a new version.
  const { row_at, revision, source_id, sent_as, contact_source_id, order_source_id } = before;
  return records.update(
    recordKey(ref, positionOf(collection.prefix, id) as number),
    { ...changed, ...(mark === undefined ? {} : { mark }) },
    {
      if: { id, version, row_at, revision, source_id, sent_as, contact_source_id, order_source_id },
      showsItem: true,
    },
  );
}
