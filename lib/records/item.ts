import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../contract/origin.ts';
import { plainError } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import type { Collection, Layout, Stored } from '../resources/collection.ts';
import { type Links, linkFields, linkTerms } from '../values/mergeTerms.ts';
import { type ClientEdits, type EditAttributes, editAttributes, editsOf } from './edits.ts';
import { resourceName } from './keys.ts';

/**
 * The most bytes of a record in an answer. A hundred records, the largest page, then stay below the bytes that a Lambda may answer:
 * so a list can return whatever a client has stored.
 */
export const recordBytesMax = 60_000;

/** The bytes of a value in a Lambda's answer. There the body is JSON in a JSON string. */
export const answerBytesOf = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** @throws ApiError 400 when the record is larger than those of its collection may be */
export function assertFits<R extends Stored>(collection: Collection<R>, record: R): void {
  const { bytesMax = recordBytesMax } = collection;
  // The message does not tell the exact size: a key that may only write could learn from it what it did not send.
  if (answerBytesOf(record) > bytesMax)
    throw plainError(
      400,
      constant`The ${ours(resourceName(collection))} would take more than the ${bytesMax} bytes in an answer that are allowed`,
    );
}

/** The later of two times, RFC 3339 UTC. The clocks of processes differ, and times of a record and of a collection only grow. */
export const latest = (before: string | undefined, now: string): string =>
  before !== undefined && before > now ? before : now;

export interface State<R extends Stored> {
  record: R;
  /** When your app changed its row, RFC 3339 UTC. Never shown, because a message that changes nothing else may change it. */
  rowAt?: string | undefined;
  /** The author of this version; undefined when the record was last changed before origins were stored. */
  origin?: Origin | undefined;
  /** The edits of clients, for the product; undefined when they never wrote the record. Never shown to them. */
  edits?: ClientEdits | undefined;
  /** The product's own id of it. Never shown to clients. */
  sourceId?: string | undefined;
  /** The highest revision that your app has sent. */
  revision?: number | undefined;
  /** The revision with which the row of the product began. */
  firstRevision?: number | undefined;
  /** The external ids by which your app has sent it without a source id, the latest last: late messages may still name them. */
  sentAs?: readonly string[] | undefined;
  /** The product's own ids of the records that its fields name, as far as the product names them so. */
  links?: Links | undefined;
  /** The version of the last message that replaced edits of which your app does not say that it knew. */
  overwritten?: number | undefined;
}

const stateAttributes = [
  ['rowAt', 'row_at'],
  ['origin', 'origin'],
  ['sourceId', 'source_id'],
  ['revision', 'revision'],
  ['firstRevision', 'first_revision'],
  ['sentAs', 'sent_as'],
  ['overwritten', 'overwritten_at_version'],
] as const;

/** The terms of links, as a record message has them. */
export const linkAttributes = (links: Links = {}): Record<string, string> =>
  Object.fromEntries(
    linkFields.flatMap((field) => {
      const sourceId = links[field];
      return sourceId == null ? [] : [[linkTerms[field], sourceId]];
    }),
  );

/** The attributes of a state to store: those that differ from the blank values that `toRecord` fills in. */
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

/** The record of an item, with all fields in the order of the contract. */
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

/** A value that an account has made, with the names of its objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}
