// Merges a statement of the product with what clients have written. docs/merge.md has the rules as one table.
import { isDeepStrictEqual } from 'node:util';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';
import { type Json, mergeValue } from '../values/shared.ts';
import type { Links } from '../values/statement.ts';
import { byPath, editOf, fromPaths, wholeOf } from './edits.ts';
import type { State } from './item.ts';

/** The words of the product beside the fields of a statement. Without any of them, the product is the master: it replaces everything. */
export interface Terms {
  /** The highest version of the record that the product has seen: it knew of all edits up to it. */
  knownVersion?: number | undefined;
  /** Grows with every change that the product makes: an older statement changes nothing. */
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
   * The paths that the statement names, with what it says there, when all others stay as they are. That of a whole counts for each of its
   * fields. A custom field that is an object is a merge patch.
   */
  named?: ReadonlyMap<string, unknown> | undefined;
  /** The paths that the statement has in a form that cannot be read. They stay as they are. */
  unread?: ReadonlySet<string> | undefined;
}

/** Whether the row of a message began after all messages that the record has had: then it is another row than that of the record. */
export const beganAfter = (
  { revision }: { revision?: unknown },
  { firstRevision }: Pick<Terms, 'firstRevision'>,
): boolean => firstRevision !== undefined && typeof revision === 'number' && firstRevision > revision;

/** Whether a record has had a later message. Revisions tell it, where both have one: they need no clock. */
export const isOlder = (
  { revision, rowAt }: Pick<Terms, 'revision'> & { rowAt?: string | undefined },
  record: { revision?: unknown; stated_at?: unknown },
): boolean =>
  revision !== undefined && typeof record.revision === 'number'
    ? revision < record.revision
    : rowAt !== undefined && rowAt < String(record.stated_at ?? '');

export interface RecordMessage<R extends Stored> {
  content: Content<R>;
  /** When the source changed it, RFC 3339 UTC. `null` counts as the newest. */
  statedAt: string | null;
  /** Your app's own id of the record. */
  sourceId?: string | undefined;
  terms?: Terms | undefined;
}

/** When the row was so, as far as that tells an order: a time ahead of the clock does not. */
export const rowAtOf = ({
  statedAt,
  terms,
}: Pick<RecordMessage<Stored>, 'statedAt' | 'terms'>): string | undefined =>
  statedAt === null || terms?.unread?.has('updated_at') ? undefined : statedAt;

/** The content of a record after a statement, and what became of the edits by clients that the statement contradicts. */
export interface Merged<R extends Stored> {
  content: Content<R>;
  kept: string[];
  /** The paths whose edit was replaced although the product does not say that it knew of it. */
  overwritten: string[];
}

/** The content of a record after a statement. @returns undefined when the record has had a later statement */
export function merge<R extends Stored>(
  collection: Pick<Collection<R>, 'layout' | 'blank'>,
  state: State<R>,
  { content, statedAt, sourceId, terms = {} }: RecordMessage<R>,
): Merged<R> | undefined {
  // Another row of your app counts its revisions from the start.
  const isLink = sourceId !== undefined && sourceId !== state.sourceId;
  const { revision, statedAt: before } = state;
  if (!isLink && isOlder({ ...terms, rowAt: rowAtOf({ statedAt, terms }) }, { revision, stated_at: before }))
    return undefined;
  const { record, edits, overwritten: upTo = 0 } = state;
  const { knownVersion, named, unread } = terms;
  if (!edits && !named && !unread) return { content, kept: [], overwritten: [] };
  const [current, stated] = [byPath(collection, record), byPath(collection, content)];
  const isIn = (paths: Pick<ReadonlySet<string>, 'has'>, path: string) =>
    paths.has(path) || paths.has(wholeOf(path));
  const isLeftOut = (path: string) =>
    (named !== undefined && !isIn(named, path)) || (unread !== undefined && isIn(unread, path));
  const stays = (edit: number) =>
    knownVersion === undefined ? statedAt !== null && timeOf(state, edit) > statedAt : edit > knownVersion;
  const merged: Merged<R> = { content, kept: [], overwritten: [] };
  const after = new Map(current);
  for (const path of new Set([...current.keys(), ...stated.keys()])) {
    const patch = named?.get(path);
    const next = isObject(patch)
      ? mergeValue(current.get(path) as Json, patch as Json)
      : (stated.get(path) ?? null);
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
