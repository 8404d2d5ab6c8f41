import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { type Links, linkFields } from '../values/mergeTerms.ts';
import { edited } from './edits.ts';
import { getState } from './get.ts';
import { assertFits, latest, linkAttributes, type State, toRecord } from './item.ts';
import type { AccountCollection } from './keys.ts';
import { isOfClient } from './origin.ts';
import { replaceState } from './replace.ts';
import type { SourceItem } from './source.ts';

export interface ChangedContent<R extends Stored> {
  content: Content<R>;
  /** When your app changed its row, if the message says so. */
  rowAt?: string | undefined;
  sourceId?: string | undefined;
  /** The item at that source id as it was read, when the record gets it. */
  at?: SourceItem | undefined;
  revision?: number | undefined;
  firstRevision?: number | undefined;
  sentAs?: readonly string[] | undefined;
  /** A field that is not in it stays as it is. */
  links?: Links | undefined;
  /** Whether it replaces edits by clients without having known them. */
  overwrites?: boolean | undefined;
}

export type ContentChange<R extends Stored> = (current: State<R>) => ChangedContent<R>;

export interface ChangeOptions {
  deadline: number;
  origin: Origin;
}

/** Changes the record with an id. @throws ApiError as `getRecord` and `changeRecord` */
export async function updateRecord<R extends Stored>(
  ref: AccountCollection<R>,
  id: string,
  change: ContentChange<R>,
  options: ChangeOptions,
): Promise<R> {
  return changeRecord(ref, await getState(ref, id), change, options);
}

/** About the pause of a change that lost a race, so that the same changes do not meet again. */
const conflictPauseMs = 20;

/**
 * Changes a record that was read as `known`. When another change was faster, this one is applied again, to the new state: so no
 * change is lost. A change that changes nothing writes nothing.
 * @throws ApiError 400 when the external id belongs to another record, and whatever `change` throws
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
    const outcome = await replaceState(ref, current, next, changed.at);
    if (outcome.kind === 'replaced') return next.record;
    noteConflict();
    if (outcome.kind === 'contended') await pause(conflictPauseMs);
    current = outcome.kind === 'overtaken' ? outcome.by : await getState(ref, current.record.id);
  }
  throw new Error('The deadline passed while others changed the same record');
}

/** How many names are kept by which a record was sent. A record gets another one when a client changes its external id. */
const sentAsMax = 5;

/** The state after a change, or the same when nothing is left to write. */
function stateAfter<R extends Stored>(
  collection: Collection<R>,
  current: State<R>,
  { content, rowAt, sourceId, revision, firstRevision, sentAs = [], links, overwrites }: ChangedContent<R>,
  origin: Origin,
): State<R> {
  const { record, edits } = current;
  const isSame = isDeepStrictEqual({ ...record, ...content }, record);
  const isLinked = sourceId !== undefined && sourceId !== current.sourceId;
  // Another row of the product begins with revisions and times of its own.
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

/** Your app's own id says which record a field names, until a client names another one. */
const endedLinks = (record: object, content: object): Links =>
  Object.fromEntries(
    linkFields
      .filter((field) => field in content && (content as Links)[field] !== (record as Links)[field])
      .map((field) => [field, null]),
  );
