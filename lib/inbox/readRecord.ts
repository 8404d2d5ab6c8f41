// One bad field must not cause a whole record of your app to be lost. A field that cannot be read is left out, unless the record needs it.
import type * as z from 'zod';
import { type ResourcePath, recordSchemas } from '../contract/inboxContract.ts';
import { isAhead } from '../records/deletion/decide.ts';
import type { UpsertEntry } from '../records/upsert/upsertEntry.ts';
import type { Stored } from '../resources/collection.ts';
import { isObject } from '../schemas/json.ts';
import { blankTerms } from '../schemas/mergeTerms.ts';
import { type Definition, unwrapped } from '../schemas/reading.ts';
import { collectionAt, toEntry } from './inboxResources.ts';

type Issue = z.ZodError['issues'][number];
type Path = readonly PropertyKey[];

const timeAhead: Issue = {
  code: 'custom',
  path: ['updated_at'],
  message:
    'is more than five minutes ahead of our clock, so it tells no order. Correct it, and send it again',
  input: undefined,
};

/** Returns the problems of a deletion's fields that are left out. */
export const leftOutOf = ({ updated_at }: { updated_at: string | null }): readonly Issue[] =>
  isAhead(updated_at ?? '') ? [timeAhead] : [];

/** How often a record is read again, because a left-out part may resolve another problem. Records have no deeper parts. */
const roundsMax = 6;

/** Reads the record of a message. @returns the entry and the problems of left-out fields, or the problems of a refusal */
export function readRecord(
  resource: ResourcePath,
  record: object,
): { entry: UpsertEntry<Stored>; leftOut: readonly Issue[] } | { problems: readonly Issue[] } {
  const schema = recordSchemas[resource]();
  const { blank } = collectionAt(resource);
  const leftOut: Issue[] = [];
  const unread = new Set<string>();
  let sent = record;
  for (let round = 0; round < roundsMax; round++) {
    const { data, error } = schema.safeParse(sent);
    if (!error) {
      if (isAhead(data.updated_at ?? '')) {
        unread.add('updated_at');
        leftOut.push(timeAhead);
      }
      return { entry: toEntry(resource, data, sent, unread), leftOut };
    }
    const places = error.issues.map((issue) => placesOf(schema, blank, issue));
    if (places.includes(undefined)) return { problems: [...leftOut, ...error.issues] };
    const all = places.flatMap((some) => some ?? []);
    sent = without(sent, all) as object;
    // A part of a list entry, or of anything deeper, has no path of its own in the stored record.
    for (const place of all) if (place.length <= 2) unread.add(place.join('.'));
    for (const issue of error.issues) leftOut.push(issue);
  }
  return { problems: leftOut };
}

/** Returns the paths to leave out because of a problem; undefined if the record needs them. */
function placesOf(schema: z.ZodType, blank: object, issue: Issue): Path[] | undefined {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  const [field] = issue.path;
  if (field === undefined || field in blankTerms) return undefined;
  // An amount that is left out becomes 0, and a boolean becomes false. Either would change the meaning of an order.
  const preset = (blank as Record<PropertyKey, unknown>)[field];
  if (typeof preset === 'number' || typeof preset === 'boolean') return undefined;
  const place = optionalPlace(schema, issue.path);
  return place && [place];
}

/** Returns the innermost optional part of a path. In a list, this is a field of an entry, or the list itself. */
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

/**
 * Returns a value without its parts at these paths. One pass removes all of them, because a record may have thousands of parts that cannot be
 * read. @param depth the depth of the value itself in the paths
 */
function without(value: unknown, places: readonly Path[], depth = 0): unknown {
  const byPart = Map.groupBy(places, (place) => place[depth]);
  const partOf = (part: PropertyKey, sent: unknown): unknown => {
    const inside = byPart.get(part);
    if (!inside) return sent;
    return inside.some(({ length }) => length === depth + 1) ? undefined : without(sent, inside, depth + 1);
  };
  if (Array.isArray(value)) return value.map((entry, i) => partOf(i, entry));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, sent]) => [name, partOf(name, sent)] as const);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}
