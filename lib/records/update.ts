import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { noteConflict } from '../logs/metrics.ts';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { type Links, linkFields } from '../schemas/mergeTerms.ts';
import { edited } from './edits.ts';
import { getState } from './get.ts';
import { assertFits, latest, linkAttributes, type State, toRecord } from './recordItem.ts';
import type { AccountCollection } from './recordKeys.ts';
import { isOfClient } from './recordOrigin.ts';
import { replaceState } from './replace.ts';
import type { SourceItem } from './source.ts';

export interface ChangedContent<R extends Stored> {
  content: Content<R>;
  /** When your app changed its row, if the message says so. */
  rowAt?: string | undefined;
  sourceId?: string | undefined;
  /** The item at that source id as it was read, if the record gets this source id. */
  nameItem?: SourceItem | undefined;
  revision?: number | undefined;
  firstRevision?: number | undefined;
  sentAs?: readonly string[] | undefined;
  /** A field that is missing here stays unchanged. */
  links?: Links | undefined;
  /** Whether the change overwrites edits by clients without knowing them. */
  overwrites?: boolean | undefined;
}

export type ContentChange<R extends Stored> = (current: State<R>) => ChangedContent<R>;

export interface ChangeOptions {
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
