// The edits of clients. docs/merge.md explains their purpose.
import { isDeepStrictEqual } from 'node:util';
import {
  type Collection,
  type Content,
  type Layout,
  ofServer,
  type Stored,
} from '../resources/collection.ts';

/**
 * The version and time of the last edit by a client, for each field that clients have written. A field is a path: `note`, `address.city`,
 * `custom_fields.points`. Versions only grow, and entries are never removed. Otherwise a late message would count as new.
 */
export interface ClientEdits {
  /** The version that the last edit of each path made. The version of a whole field, such as `custom_fields`, counts for each of its parts. */
  versions: Readonly<Record<string, number>>;
  /** When these versions were made, RFC 3339 UTC. The first version is as old as the record. */
  times: Readonly<Record<string, string>>;
}

/** Returns the version of a client's last edit of a path; 0 if there is none. */
export const editOf = (edits: ClientEdits | undefined, path: string): number =>
  Math.max(edits?.versions[path] ?? 0, edits?.versions[wholeOf(path)] ?? 0);

/** Returns the name of the field that contains a path. */
export const wholeOf = (path: string): string => path.split('.')[0] as string;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a collection that clients or your app write, with their layouts. */
const contentLayouts = (layout: object): [name: string, layout: Layout][] =>
  Object.entries(layout).filter(([name]) => !ofServer.includes(name));

const partsOf = (layout: Layout): string[] =>
  layout === null || layout === 'by name' || Array.isArray(layout) ? [] : Object.keys(layout);

/** Returns the values of a content by path. If a field with parts is `null`, each of its parts is `null`. */
export function byPath<R extends Stored>(
  { layout }: Pick<Collection<R>, 'layout'>,
  content: object,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, inner] of contentLayouts(layout)) {
    const value = (content as Fields)[name] ?? null;
    const names = inner === 'by name' ? Object.keys(value ?? {}) : partsOf(inner);
    for (const part of names) values.set(`${name}.${part}`, (value as Fields | null)?.[part] ?? null);
    if (inner !== 'by name' && names.length === 0) values.set(name, value);
  }
  return values;
}

export function fromPaths<R extends Stored>(
  { layout, blank }: Pick<Collection<R>, 'layout' | 'blank'>,
  values: ReadonlyMap<string, unknown>,
): Content<R> {
  const content: Record<string, unknown> = {};
  for (const [name, inner] of contentLayouts(layout)) {
    const parts = partsOf(inner);
    if (inner === 'by name') {
      const own = [...values].filter(([path, value]) => path.startsWith(`${name}.`) && value !== null);
      content[name] = Object.fromEntries(own.map(([path, value]) => [path.slice(name.length + 1), value]));
    } else if (parts.length === 0) content[name] = values.get(name) ?? null;
    else {
      const whole = Object.fromEntries(parts.map((part) => [part, values.get(`${name}.${part}`) ?? null]));
      const isEmpty = Object.values(whole).every((value) => value === null);
      content[name] = isEmpty && (blank as Fields)[name] === null ? null : whole;
    }
  }
  return content as Content<R>;
}

function differences<R extends Stored>(
  collection: Pick<Collection<R>, 'layout'>,
  before: object,
  after: object,
): string[] {
  const [was, is] = [byPath(collection, before), byPath(collection, after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => !isDeepStrictEqual(was.get(path) ?? null, is.get(path) ?? null),
  );
}

/** Returns the edits after a client has changed `before` to `after`. Only differences are edits, even if a client replaces a whole record. */
export function edited<R extends Stored>(
  collection: Pick<Collection<R>, 'layout'>,
  edits: ClientEdits | undefined,
  [before, after]: readonly [before: object, after: object],
  { version, at }: { version: number; at: string },
): ClientEdits | undefined {
  const paths = differences(collection, before, after);
  if (paths.length === 0) return edits;
  return bounded(
    { ...edits?.versions, ...Object.fromEntries(paths.map((path) => [path, version])) },
    { ...edits?.times, ...(version > 1 ? { [version]: at } : {}) },
  );
}

/** Merges the edits of two states of a record. It keeps the later edit of each path. */
export const laterEdits = (
  one: ClientEdits | undefined,
  other: ClientEdits | undefined,
): ClientEdits | undefined => {
  if (!one || !other) return one ?? other;
  const versions = { ...one.versions };
  for (const [path, version] of Object.entries(other.versions))
    versions[path] = Math.max(versions[path] ?? 0, version);
  return bounded(versions, { ...one.times, ...other.times });
};

/** The most parts of one field with edits of their own: twice the custom fields of a record. */
const partsMax = 100;

/** How many of them stay if there are more. */
const partsKept = 50;

/**
 * Limits the number of edits. A record has few custom fields at a time, but clients may use new names again and again. If there are too many,
 * the oldest edits become one edit of the whole field. It counts for every part without an edit of its own, so no edit is forgotten.
 */
function bounded(all: Record<string, number>, times: Record<string, string>): ClientEdits {
  const versions = { ...all };
  for (const [whole, parts] of Map.groupBy(Object.keys(all), wholeOf)) {
    if (parts.length <= partsMax) continue;
    const oldest = parts
      .filter((path) => path !== whole)
      .sort((a, b) => (all[a] as number) - (all[b] as number))
      .slice(0, -partsKept);
    versions[whole] = Math.max(all[whole] ?? 0, all[oldest.at(-1) as string] as number);
    for (const path of parts)
      if (path !== whole && (all[path] as number) <= versions[whole]) delete versions[path];
  }
  const made = new Set(Object.values(versions).map(String));
  return {
    versions,
    times: Object.fromEntries(Object.entries(times).filter(([version]) => made.has(version))),
  };
}
