// Merges a record message with what clients have written. docs/merge.md has the rules as one table.
import { isDeepStrictEqual } from 'node:util';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';
import type { Links } from '../values/mergeTerms.ts';
import { type Json, mergeValue } from '../values/shared.ts';
import { byPath, editOf, fromPaths, wholeOf } from './edits.ts';
import type { State } from './item.ts';

/** What a record message has alongside the fields. Without any of it, your app is the master: its record replaces everything. */
export interface MergeTerms {
  /** The highest version of the record that the product has seen: it knew of all edits up to it. */
  knownVersion?: number | undefined;
  /** Grows with every change that your app makes: an older message changes nothing. */
  revision?: number | undefined;
  /** The revision with which the row of your app began: with a higher one than the record has, the row is another one. */
  firstRevision?: number | undefined;
  /** The time of a deletion of the name that your app knew of: its row is there after that. RFC 3339 UTC. */
  knownDeletion?: string | undefined;
  /** The id of the record, as your app knows it. With a source id that has no record, that record gets it. */
  recordId?: string | undefined;
  /** A field that is not in it stays as it is. */
  links?: Links | undefined;
  /**
   * The paths that the message names, with what it says there, when all others stay as they are. That of a whole counts for each of its
   * fields. A custom field that is an object is a merge patch.
   */
  named?: ReadonlyMap<string, unknown> | undefined;
  /** The paths that the message has in a form that cannot be read. They stay as they are. */
  unread?: ReadonlySet<string> | undefined;
}

/** Whether the row of a message began after all messages that the record has had: then it is another row than that of the record. */
export const beganAfter = (
  { revision }: { revision?: unknown },
  { firstRevision }: Pick<MergeTerms, 'firstRevision'>,
): boolean => firstRevision !== undefined && typeof revision === 'number' && firstRevision > revision;

/** Whether a record has had a later message. Revisions tell it, where both have one: they need no clock. */
export const isOlder = (
  { revision, rowAt }: Pick<MergeTerms, 'revision'> & { rowAt?: string | undefined },
  record: { revision?: unknown; row_at?: unknown },
): boolean =>
  revision !== undefined && typeof record.revision === 'number'
    ? revision < record.revision
    : rowAt !== undefined && rowAt < String(record.row_at ?? '');

export interface RecordMessage<R extends Stored> {
  content: Content<R>;
  /** When your app changed its row, RFC 3339 UTC. `null` counts as the newest. */
  rowAt: string | null;
  /** Your app's own id of the record. */
  sourceId?: string | undefined;
  terms?: MergeTerms | undefined;
}

/** When the row was so, as far as that tells an order: a time ahead of the clock does not. */
export const orderingTime = ({
  rowAt,
  terms,
}: Pick<RecordMessage<Stored>, 'rowAt' | 'terms'>): string | undefined =>
  rowAt === null || terms?.unread?.has('updated_at') ? undefined : rowAt;

/** The content of a record after a message, and what became of the edits by clients that the message contradicts. */
export interface Merged<R extends Stored> {
  content: Content<R>;
  kept: string[];
  /** The paths whose edit was replaced although the product does not say that it knew of it. */
  overwritten: string[];
}

/** Returns the content of a record after a message; undefined when the record has had a later one. */
export function merge<R extends Stored>(
  collection: Pick<Collection<R>, 'layout' | 'blank'>,
  state: State<R>,
  { content, rowAt, sourceId, terms = {} }: RecordMessage<R>,
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

/** When an edit was made, RFC 3339 UTC. */
const timeOf = <R extends Stored>({ record, edits }: State<R>, edit: number): string =>
  edit === 1 ? record.created_at : (edits?.times[edit] ?? '');
