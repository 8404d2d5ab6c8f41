import type { Collection, Content, Stored } from './collection.ts';
import { toRecord } from './item.ts';
import { newSeed, recordId } from './position.ts';

/** A record that has no position yet, and so no id. */
export interface Draft<R extends Stored> {
  /** The random part of its id. It also makes the draft the same draft, however often it is tried. */
  seed: Uint8Array;
  content: Content<R>;
  /** RFC 3339 UTC. */
  createdAt: string;
  updatedAt: string;
}

export const newDraft = <R extends Stored>(content: Content<R>, now: Date, updatedAt?: string): Draft<R> => ({
  seed: newSeed(),
  content,
  createdAt: now.toISOString(),
  updatedAt: updatedAt ?? now.toISOString(),
});

/** The record that a draft becomes at a position. */
export function recordAt<R extends Stored>(collection: Collection<R>, draft: Draft<R>, position: number): R {
  return toRecord(collection, {
    ...draft.content,
    id: recordId(collection.prefix, position, draft.seed),
    version: 1,
    created_at: draft.createdAt,
    updated_at: draft.updatedAt,
  });
}
