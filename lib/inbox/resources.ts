import type * as z from 'zod';
import { type StatedResource, typeOfPath } from '../contract/inbox.ts';
import { byProduct } from '../records/origin.ts';
import type { Entry } from '../records/upsert/entry.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import { collectionOf as collectionOfType } from '../resources/collections.ts';
import type { statementTerms } from '../values/statement.ts';
import { namedPaths } from './named.ts';

/** The collection of a resource. Its schema has checked the records, so all collections can have one type from here on. */
export const collectionOf = (resource: StatedResource): Collection<Stored> =>
  collectionOfType(typeOfPath[resource]);

type Parsed = Entry<Stored>['content'] & {
  [Name in keyof ReturnType<typeof statementTerms>]?: z.output<ReturnType<typeof statementTerms>[Name]>;
};

/**
 * A parsed statement as an entry of the store. What it says beside its fields is no field of the record.
 * @param sent the same before it was parsed, which tells what it names
 */
export function toEntry(resource: StatedResource, parsed: unknown, sent: object): Entry<Stored> {
  const {
    updated_at = null,
    source_id,
    id,
    known_version,
    revision,
    left_out,
    ...content
  } = parsed as Parsed;
  const terms = {
    ...(known_version == null ? {} : { knownVersion: known_version }),
    ...(revision == null ? {} : { revision }),
    ...(left_out === 'keep' ? { named: namedPaths(collectionOf(resource), content, sent) } : {}),
  };
  const source = source_id == null ? undefined : { id: source_id, recordId: id ?? undefined };
  return {
    content,
    statedAt: updated_at,
    origin: byProduct,
    ...(source ? { source } : {}),
    ...(Object.keys(terms).length > 0 ? { terms } : {}),
  };
}
