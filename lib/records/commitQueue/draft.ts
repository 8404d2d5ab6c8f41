import type { IdempotentRequest } from '../../dynamodb/idempotency.ts';
import type { Collection, Content, Stored } from '../../resources/collection.ts';
import { type State, toRecord } from '../item.ts';
import { newSeed, recordId } from '../position.ts';
import type { SourceItem } from '../source.ts';

/** A record that has no position yet, and so no id. */
export interface Draft<R extends Stored>
  extends Pick<
    State<R>,
    'rowAt' | 'origin' | 'sourceId' | 'revision' | 'firstRevision' | 'sentAs' | 'links'
  > {
  /** The random part of its id. It stays the same however often the draft is tried. */
  seed: Uint8Array;
  content: Content<R>;
  /** The item at its name as it was read, when your app sent it. */
  at?: SourceItem | undefined;
  once?: IdempotentRequest | undefined;
}

export const newDraft = <R extends Stored>(
  content: Content<R>,
  more: Omit<Draft<R>, 'seed' | 'content'> = {},
): Draft<R> => ({ seed: newSeed(), content, ...more });

/** The place and the time at which a draft became a record. `at` is the time of the commit, RFC 3339 UTC, so times grow with positions. */
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

/** The bytes that a draft takes in a transaction, about. A kept answer holds the content a second time. */
export const bytesOf = ({ content, once }: Pick<Draft<Stored>, 'content' | 'once'>): number =>
  Buffer.byteLength(JSON.stringify(content)) * (once === undefined ? 1 : 2);
