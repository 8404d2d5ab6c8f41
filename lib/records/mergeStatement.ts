// Merges a statement of the product with what clients have written. docs/merge.md has the rules as one table.
import { isDeepStrictEqual } from 'node:util';
import type { Collection, Content, Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';
import { type Json, mergeValue } from '../values/shared.ts';
import { byPath, editOf, fromPaths, wholeOf } from './edits.ts';
import type { State } from './item.ts';

/** The words of the product beside the fields of a statement. Without any of them, the product is the master: it replaces everything. */
export interface Terms {
  /** The highest version of the record that the product has seen: it knew of all edits up to it. */
  knownVersion?: number | undefined;
  /** Grows with every change that the product makes: an older statement changes nothing. */
  revision?: number | undefined;
  /** The revision with which the row of the product began: with a higher one than the record has, the row came back. */
  since?: number | undefined;
  /** The product's own id of the contact; `null` for none, undefined when the statement does not say. */
  contactSource?: string | null | undefined;
  /**
   * The paths that the statement names, with what it says there, when all others stay as they are. That of a whole counts for each of its
   * fields. A custom field that is an object is a merge patch.
   */
  named?: ReadonlyMap<string, unknown> | undefined;
  /** The paths that the statement has in a form that cannot be read. They stay as they are. */
  unread?: ReadonlySet<string> | undefined;
}

/** Whether the row of a statement began after all that the record has been stated: then it is a new one, and the record is that of the old. */
export const beganAfter = ({ revision }: { revision?: unknown }, terms: Terms | undefined): boolean =>
  terms?.since !== undefined && typeof revision === 'number' && terms.since > revision;

export interface Statement<R extends Stored> {
  content: Content<R>;
  /** When the source changed it, RFC 3339 UTC. `null` counts as the newest. */
  statedAt: string | null;
  source?: Source | undefined;
  terms?: Terms | undefined;
}

/** The product's own id of a record, and the id of the record that it belongs to from now on, when a client created it. */
export interface Source {
  id: string;
  recordId?: string | undefined;
}

/** Whether a statement gives the record an id of the product that it does not have yet. */
export const isLink = (
  { sourceId }: { sourceId?: string | undefined },
  source: Source | undefined,
): boolean => source?.recordId !== undefined && source.id !== sourceId;

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
  { content, statedAt, source, terms = {} }: Statement<R>,
): Merged<R> | undefined {
  // Another row of the product counts its revisions from the start.
  if (!isLink(state, source) && isOutdated(state, statedAt, terms)) return undefined;
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

/** Whether the record has had a later statement. Revisions say it, where both have one: they need no clock. */
function isOutdated<R extends Stored>(
  { statedAt: before, revision: highest }: State<R>,
  statedAt: string | null,
  { revision }: Terms,
): boolean {
  if (revision !== undefined && highest !== undefined) return revision < highest;
  return statedAt !== null && statedAt < (before ?? '');
}

/** When an edit was made, RFC 3339 UTC. */
const timeOf = <R extends Stored>({ record, edits }: State<R>, edit: number): string =>
  edit === 1 ? record.created_at : (edits?.times[edit] ?? '');
