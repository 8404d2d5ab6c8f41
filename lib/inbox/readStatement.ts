// A record of the product is not lost for one field: one that cannot be read is left out, unless the record cannot be without it.
import type * as z from 'zod';
import { type StatedResource, statements } from '../contract/inbox.ts';
import type { Entry } from '../records/upsert/entry.ts';
import type { Stored } from '../resources/collection.ts';
import { isObject } from '../values/json.ts';
import { type Definition, unwrapped } from '../values/reading.ts';
import { blankTerms } from '../values/statement.ts';
import { collectionOf, toEntry } from './resources.ts';

type Issue = z.ZodError['issues'][number];
type Path = readonly PropertyKey[];

export interface ReadStatement {
  entry: Entry<Stored>;
  /** The problems of what was left out. */
  leftOut: readonly Issue[];
}

/** A record is read again, because what is left out may be what another problem was about. It has no deeper parts. */
const roundsMax = 6;

/** Reads the record of a statement. @returns what to store of it, or why it is refused */
export function readStatement(
  resource: StatedResource,
  record: object,
): ReadStatement | { problems: readonly Issue[] } {
  const schema = statements[resource]();
  const { blank } = collectionOf(resource);
  const leftOut: Issue[] = [];
  const unread = new Set<string>();
  let sent = record;
  for (let round = 0; round < roundsMax; round++) {
    const { data, error } = schema.safeParse(sent);
    if (!error) return { entry: toEntry(resource, data, sent, unread), leftOut };
    const places = error.issues.map((issue) => placesOf(schema, blank, issue));
    if (places.includes(undefined)) return { problems: [...leftOut, ...error.issues] };
    for (const place of places.flatMap((some) => some ?? [])) {
      sent = without(sent, place) as object;
      // A part of an entry of a list, and what is deeper, has no place of its own in the stored record.
      if (place.length <= 2) unread.add(place.join('.'));
    }
    leftOut.push(...error.issues);
  }
  return { problems: leftOut };
}

/** The places to leave out because of a problem; undefined when the record cannot be without them. */
function placesOf(schema: z.ZodType, blank: object, issue: Issue): Path[] | undefined {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  const [field] = issue.path;
  if (field === undefined || field in blankTerms) return undefined;
  // An amount that is left out is 0, and a yes or no is no: that would be another order.
  const preset = (blank as Record<PropertyKey, unknown>)[field];
  if (typeof preset === 'number' || typeof preset === 'boolean') return undefined;
  const place = optionalPlace(schema, issue.path);
  return place && [place];
}

/** The innermost part of a path that may be left out. In a list it is a field of an entry, or the list. */
function optionalPlace(schema: z.ZodType, path: Path): Path | undefined {
  let at: z.ZodType | undefined = schema;
  let place: Path | undefined;
  for (const [i, part] of path.entries()) {
    const def: Definition | undefined = at && unwrapped(at);
    at = typeof part === 'number' ? def?.element : def?.shape?.[String(part)];
    if (at?.def.type === 'optional' || def?.type === 'custom') place = path.slice(0, i + 1);
  }
  return place;
}

function without(value: unknown, [part, ...rest]: Path): unknown {
  if (part === undefined) return undefined;
  if (Array.isArray(value)) return value.map((entry, i) => (i === part ? without(entry, rest) : entry));
  if (!isObject(value)) return value;
  const { [part as string]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 || inner === undefined ? others : { ...others, [part]: without(inner, rest) };
}
