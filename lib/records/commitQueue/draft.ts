import type { IdempotentRequest } from '../../dynamodb/idempotency.ts';
import type { Collection, Content, Stored } from '../../resources/collection.ts';
import { newSeed, recordId } from '../position.ts';
import { type State, toRecord } from '../recordItem.ts';
import type { SourceItem } from '../source.ts';

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

export const newDraft = <R extends Stored>(
  content: Content<R>,
  more: Omit<Draft<R>, 'seed' | 'content'> = {},
): Draft<R> => ({ seed: newSeed(), content, ...more });

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
