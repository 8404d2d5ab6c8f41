import type { Once } from '../../dynamodb/idempotency.ts';
import type { Collection, Content, Stored } from '../collection.ts';
import { toRecord } from '../item.ts';
import { newSeed, recordId } from '../position.ts';

/** A record that has no position yet, and so no id. */
export interface Draft<R extends Stored> {
  /** The random part of its id. It also makes the draft the same draft, however often it is tried. */
  seed: Uint8Array;
  content: Content<R>;
  /** When its source said so, RFC 3339 UTC, if it has one that tells. */
  statedAt?: string;
  /** The request that it comes from, when that may be repeated. */
  once?: Once;
}

export const newDraft = <R extends Stored>(
  content: Content<R>,
  more: Pick<Draft<R>, 'statedAt' | 'once'> = {},
): Draft<R> => ({ seed: newSeed(), content, ...more });

/** Where and when a draft became a record. `at` is RFC 3339 UTC: the time of the commit, so that times go up as positions do. */
export interface Placed {
  position: number;
  at: string;
}

/** The record that a draft becomes. */
export function recordAt<R extends Stored>(
  collection: Collection<R>,
  draft: Draft<R>,
  { position, at }: Placed,
): R {
  return toRecord(collection, {
    ...draft.content,
    id: recordId(collection.prefix, position, draft.seed),
    version: 1,
    created_at: at,
    updated_at: at,
  });
}
