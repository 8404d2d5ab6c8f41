import type * as z from 'zod';
import {
  inboxDeletion,
  inboxEnvelope,
  inboxMessage,
  type ResourcePath,
  recordSchemas,
  resourceNamed,
} from '../contract/inboxContract.ts';
import type { Deletion } from '../records/deletion/deleteNamed.ts';
import type { UpsertEntry } from '../records/mergeMessage.ts';
import type { Stored } from '../resources/collection.ts';
import { isAccount } from '../schemas/account.ts';
import { isObject, readObject } from '../schemas/json.ts';
import { lazy } from '../schemas/lazy.ts';
import { blankTerms } from '../schemas/mergeTerms.ts';
import { problemsOf } from '../schemas/problemMessages.ts';
import { type Definition, fieldNames, unwrapped } from '../schemas/reading.ts';
import { externalId } from '../schemas/texts.ts';
import { collectionAt, isAhead, toDeletion, toEntry } from './inboxResources.ts';

type Issue = z.ZodError['issues'][number];
type Path = readonly PropertyKey[];

export interface Subject {
  account: string;
  resource: ResourcePath;
  source_id: string | null;
  external_id: string | null;
  revision: number | null;
}

export type MessageContent =
  | { entry: UpsertEntry<Stored>; deletion?: undefined }
  | { entry?: undefined; deletion: Deletion };

/** A message about a record of an account: the record itself, or its deletion. */
export type ReadMessage = Subject &
  MessageContent & {
    /** The problems of the fields that were left out because they could not be read. */
    leftOut: readonly string[];
  };

/** A message that cannot be stored. Without an account and a resource, the problem cannot be reported to your app. */
export interface RefusedMessage {
  problems: readonly string[];
  subject?: Subject;
}

const contractNames = lazy(() => new Set([...fieldNames(inboxMessage()), ...fieldNames(inboxDeletion())]));

/** Returns a name for the log. It hides a name that is not in the contract, because it may be a person's name. */
const nameOf = (name: string): string => (contractNames().has(name) ? name : '"…"');

/** Matches a number or a UUID. Any other id may be a name or an email address, so the log leaves it out. */
const plainId = /^(?:\d{1,20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Returns the ids of a record for the log, so that you can find the row in your app. */
export const loggedSubject = ({ account, resource, source_id }: Subject) => ({
  account,
  resource,
  ...(plainId.test(String(source_id)) ? { source_id } : {}),
});

/** A message as it was sent. */
type Sent = Partial<Record<'account' | 'resource' | 'record' | 'deleted', unknown>>;

/** Reads the body of a message. @returns the content; if the message cannot be stored, its problems and its subject */
export function readMessage(body: string): ReadMessage | RefusedMessage {
  const parsed = readObject(body, nameOf);
  if ('problem' in parsed) return { problems: [`the message ${parsed.problem}`] };
  const sent: Sent = parsed.value;
  if ('deleted' in sent) return readDeletion(sent);
  const { data, error } = inboxEnvelope().safeParse(sent);
  if (!data) return { problems: problemsOf(error, nameOf), ...subjectOf(sent, sent.record) };
  const { account, resource, record } = data;
  const subject = { account, resource, ...idsIn(record) };
  const read = readRecord(resource, record);
  if ('problems' in read) return { problems: problemsIn('record', read.problems), subject };
  return { ...subject, entry: read.entry, leftOut: problemsIn('record', read.leftOut) };
}

function readDeletion(sent: Sent): ReadMessage | RefusedMessage {
  const { data, error } = inboxDeletion().safeParse(sent);
  const { subject } = subjectOf(sent, sent.deleted);
  if (!data || !subject) return { problems: problemsOf(error, nameOf), ...(subject ? { subject } : {}) };
  const leftOut = problemsIn('deleted', leftOutOf(data.deleted));
  return { ...subject, deletion: toDeletion(data.deleted), leftOut };
}

const problemsIn = (part: 'record' | 'deleted', issues: readonly Issue[]): string[] =>
  problemsOf({ issues: issues.map((issue) => ({ ...issue, path: [part, ...issue.path] })) }, nameOf);

/** Returns the readable part of a message's subject, so that the problem can be reported to your app. */
function subjectOf({ account, resource: name }: Sent, record: unknown): { subject?: Subject } {
  const resource = typeof name === 'string' ? resourceNamed(name) : undefined;
  if (!isAccount(account) || resource === undefined) return {};
  return { subject: { account, resource, ...idsIn(isObject(record) ? record : {}) } };
}

/** Returns the ids that your app uses for a record. An id that cannot be read becomes `null`. */
function idsIn(record: object): Pick<Subject, 'source_id' | 'external_id' | 'revision'> {
  const { source_id, external_id, revision } = record as Record<string, unknown>;
  const idOf = (sent: unknown) => externalId().safeParse(sent).data ?? null;
  return {
    source_id: idOf(source_id),
    external_id: idOf(external_id),
    revision: Number.isSafeInteger(revision) ? (revision as number) : null,
  };
}

/** Returns the names by which a message finds its record, and the names that it assigns to the record. */
export function namesIn({ entry, deletion }: MessageContent): string[] {
  const { sourceId, externalId, recordId } = deletion ?? {
    sourceId: entry.sourceId,
    externalId: entry.content.external_id ?? undefined,
    recordId: entry.terms?.recordId,
  };
  const all = { source: sourceId, external: externalId, record: recordId };
  return Object.entries(all).flatMap(([kind, name]) => (name === undefined ? [] : [`${kind} ${name}`]));
}

// One bad field must not cause a whole record of your app to be lost. A field that cannot be read is left out, unless the record needs it.

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
