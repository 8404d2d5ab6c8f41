import { type StatedResource, typeOfPath } from '../contract/inbox.ts';
import { byProduct } from '../records/origin.ts';
import type { Entry } from '../records/upsert/entry.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import { collectionOf as collectionOfType } from '../resources/collections.ts';

/** The collection of a resource. Its schema has checked the records, so all collections can have one type from here on. */
export const collectionOf = (resource: StatedResource): Collection<Stored> =>
  collectionOfType(typeOfPath[resource]);

/** A parsed statement as an entry of the store. Its `updated_at` is the time of the statement and no field of the record. */
export function toEntry(parsed: unknown): Entry<Stored> {
  const { updated_at = null, ...content } = parsed as Entry<Stored>['content'] & {
    updated_at?: string | null;
  };
  return { content, statedAt: updated_at, origin: byProduct };
}
