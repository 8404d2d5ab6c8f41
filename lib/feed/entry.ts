import type { EventResourceType, EventType } from '../contract/eventTypes.ts';
import type { Origin } from '../contract/origin.ts';
import type { Change } from '../records/change.ts';
import type { Notice } from '../records/notice.ts';
import { changedFields, eventTypeOf } from './changeEvent.ts';

/**
 * A change as a page of the feed has it, without its number, which is that of the page and its place in it. It takes less than
 * 1 KB: a record has a fixed set of fields. Everything else is read by the id of the resource.
 */
export interface Entry {
  type: EventType;
  resource_type: EventResourceType;
  resource_id: string;
  version: number;
  at: string;
  changed_fields: string[];
  /** Missing in an entry of an earlier release. */
  origin?: Origin | null;
}

export const entryOf = (change: Change): Entry => ({
  type: eventTypeOf(change),
  resource_type: change.type,
  resource_id: change.after.id,
  version: change.after.version,
  at: change.after.updated_at,
  changed_fields: changedFields(change),
  origin: change.origin,
});

export const noticeEntryOf = ({ type, resource, at, previous, origin }: Notice): Entry => ({
  type,
  resource_type: resource.type,
  resource_id: resource.id,
  version: resource.version,
  at,
  changed_fields: Object.keys(previous),
  origin,
});
