// Merges a record message with the edits of clients. docs/merge.md has the rules as one table.
import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { isObject } from '../schemas/json.ts';
import type { Links } from '../schemas/mergeTerms.ts';
import { type Json, mergeValue } from '../schemas/shared.ts';
import { byPath, editOf, fromPaths, wholeOf } from './edits.ts';
import type { State } from './recordItem.ts';

/** The merge terms of a record message. Without any of them, your app is the master, and its record replaces everything. */
export interface MergeTerms {
  /** The highest version of the record that your app has seen. Your app knew all edits up to this version. */
  knownVersion?: number | undefined;
  /** Grows with every change that your app makes. A message with a lower revision than the record has no effect. */
  revision?: number | undefined;
  /** The revision with which the row of your app began. If it is higher than the record's revision, the row is a different one. */
  firstRevision?: number | undefined;
  /** The time of a deletion of the name that your app already knew, RFC 3339 UTC. The row began after this deletion. */
  knownDeletion?: string | undefined;
  /** The record's id, if your app knows it. If the source id has no record yet, this record gets the source id. */
  recordId?: string | undefined;
  /** A field that is missing here stays unchanged. */
  links?: Links | undefined;
  /**
   * The paths that the message names, with their values, if all other paths stay unchanged. The path of a whole field counts for each of its
   * parts. A custom field that is an object is a merge patch.
   */
  named?: ReadonlyMap<string, unknown> | undefined;
  /** The paths whose values could not be read. They stay unchanged. */
  unread?: ReadonlySet<string> | undefined;
}

/** Returns whether the row of a message began after all messages about the record. The row is then a different one. */
export const beganAfter = (
  { revision }: { revision?: unknown },
  { firstRevision }: Pick<MergeTerms, 'firstRevision'>,
): boolean => firstRevision !== undefined && typeof revision === 'number' && firstRevision > revision;

/** Returns whether the record has had a later message. If both have a revision, revisions decide, because they depend on no clock. */
export const isOlder = (
  { revision, rowAt }: Pick<MergeTerms, 'revision'> & { rowAt?: string | undefined },
  record: { revision?: unknown; row_at?: unknown },
): boolean =>
  revision !== undefined && typeof record.revision === 'number'
    ? revision < record.revision
    : rowAt !== undefined && rowAt < String(record.row_at ?? '');

/** A record message, or a client's request, with its author. Without `sourceId` it has an external id, which identifies its record. */
export interface UpsertEntry<R extends Stored> {
  content: Content<R>;
  /** The author of the content. The content of a client replaces everything. */
  origin: Origin;
  /** When your app changed its row, RFC 3339 UTC. `null` counts as the newest. */
  rowAt: string | null;
  /** Your app's own id of the record. */
  sourceId?: string | undefined;
  terms?: MergeTerms | undefined;
}

/** Returns the time of the row's state, if it proves an order. A time that is ahead of the clock does not. */
export const orderingTime = ({
  rowAt,
  terms,
}: Pick<UpsertEntry<Stored>, 'rowAt' | 'terms'>): string | undefined =>
  rowAt === null || terms?.unread?.has('updated_at') ? undefined : rowAt;

/** The content of a record after a message, and the result for each client edit that the message contradicts. */
export interface Merged<R extends Stored> {
  content: Content<R>;
  kept: string[];
  /** The paths whose edits were overwritten without proof that your app knew them. */
  overwritten: string[];
}

/** Returns the content of a record after a message; undefined if the record has had a later message. */
export function merge<R extends Stored>(
  collection: Pick<Collection<R>, 'layout' | 'blank'>,
  state: State<R>,
  { content, rowAt, sourceId, terms = {} }: UpsertEntry<R>,
): Merged<R> | undefined {
  // Another row of your app counts its revisions from the start.
  const isLink = sourceId !== undefined && sourceId !== state.sourceId;
  const { revision, rowAt: before } = state;
  if (!isLink && isOlder({ ...terms, rowAt: orderingTime({ rowAt, terms }) }, { revision, row_at: before }))
    return undefined;
  const { record, edits, overwritten: upTo = 0 } = state;
  const { knownVersion, named, unread } = terms;
  if (!edits && !named && !unread) return { content, kept: [], overwritten: [] };
  const [current, sent] = [byPath(collection, record), byPath(collection, content)];
  const isIn = (paths: Pick<ReadonlySet<string>, 'has'>, path: string) =>
    paths.has(path) || paths.has(wholeOf(path));
  const isLeftOut = (path: string) =>
    (named !== undefined && !isIn(named, path)) || (unread !== undefined && isIn(unread, path));
  const stays = (edit: number) =>
    knownVersion === undefined ? rowAt !== null && timeOf(state, edit) > rowAt : edit > knownVersion;
  const merged: Merged<R> = { content, kept: [], overwritten: [] };
  const after = new Map(current);
  for (const path of new Set([...current.keys(), ...sent.keys()])) {
    const patch = named?.get(path);
    const next = isObject(patch)
      ? mergeValue(current.get(path) as Json, patch as Json)
      : (sent.get(path) ?? null);
    if (isDeepStrictEqual(current.get(path) ?? null, next) || isLeftOut(path)) continue;
    const edit = editOf(edits, path);
    if (edit > 0 && stays(edit)) {
      merged.kept.push(path);
      continue;
    }
    after.set(path, next);
    if (edit > upTo && knownVersion === undefined) merged.overwritten.push(path);
  }
  merged.content = fromPaths(collection, after);
  return merged;
}

/** Returns when an edit was made, RFC 3339 UTC. */
const timeOf = <R extends Stored>({ record, edits }: State<R>, edit: number): string =>
  edit === 1 ? record.created_at : (edits?.times[edit] ?? '');
