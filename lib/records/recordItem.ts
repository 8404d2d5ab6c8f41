import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import type { IdempotentRequest } from '../dynamodb/idempotency.ts';
import type { Item } from '../dynamodb/item.ts';
import { plainError } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import type { Collection, Content, Layout, Stored } from '../resources/collection.ts';
import { type Links, linkFields, linkTerms } from '../schemas/mergeTerms.ts';
import type { ClientEdits } from './edits.ts';
import { newSeed, recordId } from './position.ts';
import { resourceName } from './recordKeys.ts';
import type { SourceItem } from './source.ts';

/**
 * The most bytes of a record in a response. A hundred records, the largest page, then stay below the size limit of a Lambda response, so a list
 * can return everything that clients have stored.
 */
export const recordBytesMax = 60_000;

/** Returns the bytes of a value in a Lambda response, where the body is JSON in a JSON string. */
export const answerBytesOf = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** @throws ApiError 400 if the record is larger than its collection allows */
export function assertFits<R extends Stored>(collection: Collection<R>, record: R): void {
  const { bytesMax = recordBytesMax } = collection;
  // The message does not show the exact size, because it would tell a write-only key about content that the key did not send.
  if (answerBytesOf(record) > bytesMax)
    throw plainError(
      400,
      constant`The ${ours(resourceName(collection))} would be larger than the ${bytesMax} bytes that it may have in a response`,
    );
}

/** Returns the later of two times, RFC 3339 UTC. The clocks of processes differ, but the times of a record and of a collection only grow. */
export const latest = (before: string | undefined, now: string): string =>
  before !== undefined && before > now ? before : now;

export interface State<R extends Stored> {
  record: R;
  /** When your app changed its row, RFC 3339 UTC. Never shown, because a message may change it without any other change. */
  rowAt?: string | undefined;
  /** The author of this version; undefined if the record was last changed before origins were stored. */
  origin?: Origin | undefined;
  /** The edits of clients, for your app; undefined if clients never wrote the record. Never shown to clients. */
  edits?: ClientEdits | undefined;
  /** Your app's own id of the row. Never shown to clients. */
  sourceId?: string | undefined;
  /** The highest revision that your app has sent. */
  revision?: number | undefined;
  /** The revision with which the row of your app began. */
  firstRevision?: number | undefined;
  /** The external ids under which your app has sent the record without a source id, latest last. Late messages may still use them. */
  sentAs?: readonly string[] | undefined;
  /** Your app's own ids of the records that this record's fields name, where your app uses such ids. */
  links?: Links | undefined;
  /** The version of the last message that overwrote edits without proof that your app knew them. */
  overwritten?: number | undefined;
}

/** A record that has no position yet, and therefore no id. */
export interface Draft<R extends Stored>
  extends Pick<
    State<R>,
    'rowAt' | 'origin' | 'sourceId' | 'revision' | 'firstRevision' | 'sentAs' | 'links'
  > {
  /** The random part of the id. It stays the same in every attempt to commit the draft. */
  seed: Uint8Array;
  content: Content<R>;
  /** The item at the record's name as it was read, for records that your app sends. */
  nameItem?: SourceItem | undefined;
  once?: IdempotentRequest | undefined;
}

/** @throws ApiError 400 if the record would be larger than its collection allows */
export function newDraft<R extends Stored>(
  collection: Collection<R>,
  content: Content<R>,
  more: Omit<Draft<R>, 'seed' | 'content'> = {},
): Draft<R> {
  const draft = { seed: newSeed(), content, ...more };
  assertFits(collection, recordAt(collection, draft, { position: 0, at: new Date().toISOString() }));
  return draft;
}

/** The position and time at which a draft became a record. `at` is the time of the commit, RFC 3339 UTC. Times grow with positions. */
export interface CommitPoint {
  position: number;
  at: string;
}

export function recordAt<R extends Stored>(
  collection: Collection<R>,
  draft: Draft<R>,
  { position, at }: CommitPoint,
): R {
  return toRecord(collection, {
    ...draft.content,
    id: recordId(collection.prefix, position, draft.seed),
    version: 1,
    created_at: at,
    updated_at: at,
  });
}

/** Returns the approximate bytes that a draft takes in a transaction. A kept response stores the content a second time. */
export const bytesOf = ({ content, once }: Pick<Draft<Stored>, 'content' | 'once'>): number =>
  Buffer.byteLength(JSON.stringify(content)) * (once === undefined ? 1 : 2);

const stateAttributes = [
  ['rowAt', 'row_at'],
  ['origin', 'origin'],
  ['sourceId', 'source_id'],
  ['revision', 'revision'],
  ['firstRevision', 'first_revision'],
  ['sentAs', 'sent_as'],
  ['overwritten', 'overwritten_at_version'],
] as const;

/** The attributes of an item that store the edits. Records that clients never wrote have none. */
export interface EditAttributes {
  client_edits?: ClientEdits['versions'] | undefined;
  client_edit_times?: ClientEdits['times'] | undefined;
}

export const editsOf = ({ client_edits, client_edit_times = {} }: EditAttributes): ClientEdits | undefined =>
  client_edits && { versions: client_edits, times: client_edit_times };

export const editAttributes = (edits: ClientEdits | undefined): EditAttributes =>
  edits === undefined
    ? {}
    : {
        client_edits: edits.versions,
        ...(Object.keys(edits.times).length > 0 ? { client_edit_times: edits.times } : {}),
      };

/** Returns the terms of links, as in a record message. */
export const linkAttributes = (links: Links = {}): Record<string, string> =>
  Object.fromEntries(
    linkFields.flatMap((field) => {
      const sourceId = links[field];
      return sourceId == null ? [] : [[linkTerms[field], sourceId]];
    }),
  );

/** Returns the attributes of a state to store: those that differ from the blank values that `toRecord` fills in. */
export function toAttributes<R extends Stored>(
  { blank }: Collection<R>,
  { record, edits, links, ...state }: State<R>,
): Record<string, unknown> {
  const blanks = blank as Record<string, unknown>;
  const stored = Object.entries(record).filter(
    ([name, value]) => !(name in blanks && isDeepStrictEqual(value, blanks[name])),
  );
  return {
    ...Object.fromEntries(stored),
    ...editAttributes(edits),
    ...linkAttributes(links),
    ...Object.fromEntries(
      stateAttributes.flatMap(([name, attribute]) =>
        state[name] === undefined ? [] : [[attribute, state[name]]],
      ),
    ),
  };
}

export const toState = <R extends Stored>(
  collection: Collection<R>,
  item: Record<string, unknown>,
): State<R> => ({
  record: toRecord(collection, item),
  edits: editsOf(item as EditAttributes),
  links: Object.fromEntries(
    linkFields.flatMap((field) => {
      const sourceId = item[linkTerms[field]];
      return sourceId === undefined ? [] : [[field, sourceId]];
    }),
  ),
  ...(Object.fromEntries(stateAttributes.map(([name, attribute]) => [name, item[attribute]])) as Pick<
    State<R>,
    (typeof stateAttributes)[number][0]
  >),
});

/** Returns the record of an item, with all fields in the order of the contract. */
export function toRecord<R extends Stored>({ layout, blank }: Collection<R>, item: object): R {
  return arranged({ ...blank, ...item }, layout as Layout) as R;
}

function arranged(value: unknown, layout: Layout): unknown {
  if (layout === null || value === null || value === undefined) return value ?? null;
  if (Array.isArray(layout)) return (value as unknown[]).map((entry) => arranged(entry, layout[0]));
  const from = value as Record<string, unknown>;
  if (layout === 'by name') return sorted(from);
  return Object.fromEntries(
    Object.entries(layout).map(([name, inner]) => [name, arranged(from[name], inner)]),
  );
}

/** Returns a value that an account defined, with the keys of its objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}

export interface Tombstone {
  id: string;
  version: number;
  /** RFC 3339 UTC. */
  deletedAt: string;
  mergedInto: string | null;
}

/** Returns whether an item is a tombstone, which stays at the position of a deleted record. */
export const isDeleted = (item: Item | undefined): boolean => item?.deleted_at !== undefined;

export const mergedInto = (item: Item): string | null => (item.merged_into as string | undefined) ?? null;

export const tombstoneOf = (item: Item): Tombstone => ({
  id: item.id as string,
  version: item.version as number,
  deletedAt: item.deleted_at as string,
  mergedInto: mergedInto(item),
});
