import type * as z from 'zod';
import { type ResourcePath, typeOfPath } from '../contract/inboxContract.ts';
import { clockToleranceMs } from '../records/deletion/decide.ts';
import type { Deletion, RecordNames } from '../records/deletion/deleteNamed.ts';
import type { UpsertEntry } from '../records/mergeMessage.ts';
import { byProduct } from '../records/recordOrigin.ts';
import type { Collection, Layout, Stored } from '../resources/collection.ts';
import { collectionOf as collectionOfType } from '../resources/collections.ts';
import { isObject } from '../schemas/json.ts';
import {
  type deletion,
  type LinkField,
  type Links,
  linkFields,
  linkTerms,
  type mergeTerms,
} from '../schemas/mergeTerms.ts';

/** Returns the collection of a resource. Its schema has checked the records, so all collections share one type from here on. */
export const collectionAt = (resource: ResourcePath): Collection<Stored> =>
  collectionOfType(typeOfPath[resource]);

type TermSchemas = ReturnType<typeof mergeTerms>;

type Parsed = UpsertEntry<Stored>['content'] & {
  [Name in keyof TermSchemas]?: z.output<TermSchemas[Name]>;
} & { [Field in LinkField as (typeof linkTerms)[Field]]?: string | null };

/**
 * Returns a parsed record message as an entry of the store. The merge terms of the message are not fields of the record.
 * @param sent the message before it was parsed, which shows the fields that it names
 * @param unread the paths that could not be read and were left out
 */
export function toEntry(
  resource: ResourcePath,
  parsed: unknown,
  sent: object,
  unread: ReadonlySet<string> = new Set(),
): UpsertEntry<Stored> {
  const {
    updated_at = null,
    source_id,
    id,
    known_version,
    revision,
    first_revision,
    known_deletion,
    left_out,
    contact_source_id,
    order_source_id,
    ...content
  } = parsed as Parsed;
  const named = left_out === 'keep' ? namedPaths(collectionAt(resource), sent) : undefined;
  const stays = new Set(unread);
  const links: Record<string, string | null> = {};
  for (const field of linkFields) {
    const sourceId = { contact_id: contact_source_id, order_id: order_source_id }[field];
    if (named?.has(linkTerms[field])) named.set(field, undefined);
    if (unread.has(linkTerms[field])) stays.add(field);
    else if (sourceId !== undefined && (!named || named.has(field))) links[field] = sourceId;
  }
  return {
    content,
    rowAt: unread.has('updated_at') ? new Date(Date.now() - clockToleranceMs).toISOString() : updated_at,
    origin: byProduct,
    sourceId: source_id ?? undefined,
    terms: {
      knownVersion: known_version ?? undefined,
      revision: revision ?? undefined,
      firstRevision: first_revision ?? undefined,
      knownDeletion: known_deletion ?? undefined,
      recordId: id ?? undefined,
      unread: stays.size > 0 ? stays : undefined,
      named,
      links: Object.keys(links).length > 0 ? (links as Links) : undefined,
    },
  };
}

/** Returns whether a time, RFC 3339 UTC, is more than five minutes ahead of the clock. Such a time proves nothing about an order. */
export const isAhead = (time: string): boolean =>
  time > new Date(Date.now() + clockToleranceMs).toISOString();

export function toDeletion(parsed: z.output<ReturnType<typeof deletion>>): Deletion {
  const { revision, updated_at, known_deletion, merged_into } = parsed;
  return {
    ...namedBy(parsed),
    revision: revision ?? undefined,
    rowDeletedAt: updated_at === null || isAhead(updated_at) ? undefined : updated_at,
    knownDeletion: known_deletion ?? undefined,
    mergedInto: merged_into
      ? { ...namedBy(merged_into), firstRevision: merged_into.first_revision ?? undefined }
      : undefined,
  };
}

const namedBy = ({
  source_id,
  external_id,
  id,
}: Record<'source_id' | 'external_id' | 'id', string | null>): RecordNames => ({
  sourceId: source_id ?? undefined,
  externalId: external_id ?? undefined,
  recordId: id ?? undefined,
});

/**
 * Returns the paths that a record message names, with their values: its fields, the parts of objects such as an address, and custom fields. A
 * field that is `null` is named as a whole. A left-out amount counts as 0 and a boolean as false, as in the sum of an order.
 */
function namedPaths({ layout, blank }: Collection<Stored>, sent: object): Map<string, unknown> {
  const layouts = layout as Record<string, Layout>;
  // JSON has a negative zero, but the database does not.
  const plain: object = JSON.parse(JSON.stringify(sent));
  const named = Object.entries(plain).flatMap(([name, value]): [string, unknown][] => {
    const hasParts = layouts[name] === 'by name' || isObject(layouts[name]);
    if (!hasParts || !isObject(value)) return [[name, value]];
    return Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner]);
  });
  const counted = Object.entries(blank).filter(([, value]) => /^(number|boolean)$/.test(typeof value));
  return new Map([...counted, ...named]);
}
