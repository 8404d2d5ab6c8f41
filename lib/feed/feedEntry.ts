import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventResourceType, EventType } from '../contract/eventTypes.ts';
import type { Origin } from '../contract/origin.ts';
import { base32 } from '../ids.ts';
import type { RecordChange } from '../records/change.ts';
import type { Notice } from '../records/notice.ts';
import { isOfRecord, type Streamed } from '../records/streamed.ts';
import type { Stored } from '../resources/collection.ts';
import { transitionsOf } from '../resources/collections.ts';

/**
 * A change as a page of the feed stores it. Its number follows from the page's number and its place in the page. It takes less than 1 KB,
 * because a record has a fixed set of fields. Everything else is read by the id of the resource.
 */
export interface FeedEntry {
  type: EventType;
  resource_type: EventResourceType;
  resource_id: string;
  version: number;
  at: string;
  changed_fields: string[];
  origin: Origin | null;
  /** The id of the record that took the place of a deleted one. */
  merged_into?: string | null;
}

export const entryOf = (change: RecordChange): FeedEntry => ({
  type: eventTypeOf(change),
  resource_type: change.type,
  resource_id: change.after.id,
  version: change.after.version,
  at: change.after.updated_at,
  changed_fields: changedFields(change),
  origin: change.origin,
  ...(change.deletion ? { merged_into: change.deletion.mergedInto } : {}),
});

const noticeEntryOf = ({ type, resource, at, previous, origin }: Notice): FeedEntry => ({
  type,
  resource_type: resource.type,
  resource_id: resource.id,
  version: resource.version,
  at,
  changed_fields: Object.keys(previous),
  origin,
});

export const eventPrefix = 'evt';

/** Returns the same id for the same version of a record, so a change that is delivered twice causes one event. */
export const eventId = (account: string, { id, version }: Pick<Stored, 'id' | 'version'>): string =>
  `${eventPrefix}_${base32(createHash('sha256').update(`${account}#${id}#${version}`).digest().subarray(0, 15))}`;

export const recordField = (record: Stored, name: string): unknown => record[name as keyof Stored];

/** Fields that change with every version. They are not listed, because the record's `version` and `updated_at` already show the change. */
const versionFields = new Set(['version', 'updated_at']);

/** Returns the names of the fields that a change has changed; none if it created or deleted the record. */
export const changedFields = ({ before, after, deletion }: RecordChange): string[] =>
  before && !deletion
    ? Object.keys(after).filter(
        (name) =>
          !versionFields.has(name) && !isDeepStrictEqual(recordField(before, name), recordField(after, name)),
      )
    : [];

/** Returns the type of a change's event. Each change causes one event, of the most specific type. */
export function eventTypeOf({ type, before, after, deletion }: RecordChange): EventType {
  if (deletion) return `${type}.deleted`;
  if (!before) return `${type}.created`;
  const match = transitionsOf(type).find(([, field, becomes]) => {
    const [was, is] = [recordField(before, field), recordField(after, field)];
    return becomes === 'more' ? (is as number) > (was as number) : becomes.includes(is) && is !== was;
  });
  return match ? match[0] : `${type}.updated`;
}

export interface PendingChange {
  entry: FeedEntry;
  /** The position of the changed record; undefined if the resource is not a record. */
  position: number | undefined;
  sequenceNumber: string;
}

export const pendingChangeOf = (change: Streamed): PendingChange => ({
  sequenceNumber: change.sequenceNumber,
  ...(isOfRecord(change)
    ? { position: change.position, entry: entryOf(change) }
    : { position: undefined, entry: noticeEntryOf(change) }),
});

/**
 * Returns the changes with those of each record in the order of versions. The stream may repeat a change after a later one, and a version lower
 * than a numbered one gets no number.
 */
export function inVersionOrder(changes: readonly PendingChange[]): PendingChange[] {
  const byRecord = Map.groupBy(changes, ({ entry }) => entry.resource_id);
  for (const own of byRecord.values()) own.sort((a, b) => a.entry.version - b.entry.version);
  return changes.map(({ entry }) => byRecord.get(entry.resource_id)?.shift() as PendingChange);
}
