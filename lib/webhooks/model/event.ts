import type { EventResourceType, EventType, testEventType } from '../../contract/eventTypes.ts';
import type { ShownOrigin } from '../../contract/origin.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { changedFields, eventId, eventPrefix, eventTypeOf, fieldOf } from '../../feed/entry.ts';
import { randomId } from '../../ids.ts';
import type { Change } from '../../records/change.ts';
import type { Notice } from '../../records/notice.ts';
import { eventKey } from './keys.ts';
import type { Payload } from './payload.ts';

/** What an event is about: a record, or a subscription. */
export interface EventResource {
  type: EventResourceType;
  id: string;
}

/** An event as it is stored. Its body is serialised once, so that every attempt sends the same bytes. */
export interface WebhookEvent {
  id: string;
  type: EventType;
  /** What it is about. */
  resource: EventResource;
  origin: ShownOrigin;
  changed_fields: readonly string[];
  /** The full body. */
  body: string;
  /** Its record was deleted later: then the body is thin. */
  erased?: true;
}

/** What every body of an event says about it, whatever the payload. */
interface EventHead {
  id: string;
  type: EventType | typeof testEventType;
  /** RFC 3339 in UTC with milliseconds. */
  timestamp: string;
  resource: { type: string; id: string; version: number };
  origin: ShownOrigin;
  changed_fields: readonly string[];
}

/** The text that is sent. No other function writes it, so that its fields always have one order. */
export const bodyOf = (
  { id, type, timestamp, resource, origin, changed_fields }: EventHead,
  { previous, data }: { previous: object; data: object },
): string =>
  JSON.stringify({
    id,
    type,
    timestamp,
    api_version: 'v1',
    resource,
    origin,
    changed_fields,
    previous,
    data,
  });

export function eventOf(change: Change): WebhookEvent {
  const { account, type, before, after, origin, deletion } = change;
  const changed = changedFields(change);
  const event = {
    id: eventId(account, after),
    type: eventTypeOf(change),
    timestamp: after.updated_at,
    resource: { type, id: after.id, version: after.version },
    origin,
    changed_fields: changed,
  };
  const previous = Object.fromEntries(changed.map((name) => [name, before && fieldOf(before, name)]));
  const data = deletion ? { id: after.id, merged_into: deletion.mergedInto } : after;
  return serialised(event, previous, data);
}

export function noticeEventOf({ account, type, resource, at, previous, data, origin }: Notice): WebhookEvent {
  const event = {
    id: eventId(account, resource),
    type,
    timestamp: at,
    resource: { type: resource.type, id: resource.id, version: resource.version },
    origin,
    changed_fields: Object.keys(previous),
  };
  return serialised(event, previous, data);
}

const serialised = (
  event: EventHead & { type: EventType; resource: EventResource },
  previous: object,
  data: object,
): WebhookEvent => ({
  id: event.id,
  type: event.type,
  resource: { type: event.resource.type, id: event.resource.id },
  origin: event.origin,
  changed_fields: event.changed_fields,
  body: bodyOf(event, { previous, data }),
});

/** The body that a payload sends. The thin one is derived from the full one, so it has the same bytes in every attempt, too. */
export function bodyFor(payload: Payload, full: string): string {
  if (payload === 'full') return full;
  const event: EventHead = JSON.parse(full);
  // The event of a deletion has no content, and says what the record was merged into.
  if (String(event.type).endsWith('.deleted')) return full;
  return bodyOf(event, { previous: {}, data: { id: event.resource.id } });
}

/** The event of a record that was deleted after the change: it has no content. */
export const withoutPerson = (event: WebhookEvent): WebhookEvent => ({
  ...event,
  body: bodyFor('thin', event.body),
  erased: true,
});

/** The event of a test. Its resource is the subscription; it shows only the id. */
export function testEvent(subscription: { id: string; version: number }, type: typeof testEventType) {
  const { id, version } = subscription;
  const event = {
    id: randomId(eventPrefix),
    type,
    timestamp: new Date().toISOString(),
    resource: { type: 'webhook_subscription', id, version },
    origin: null,
    changed_fields: [],
  };
  return { id: event.id, body: bodyOf(event, { previous: {}, data: { id } }) };
}

/** The item of an event. */
export interface StoredEvent {
  /** The full body; the thin one after an erasure. */
  body: string;
  /** The position of its delivery in the log of each subscription, so that an erasure finds the deliveries. */
  delivery_positions: Record<string, number>;
  erased?: true;
  ttl: number;
}

/**
 * An erasure leaves this for a version without an event: its change may still wait in a queue, or among what was given up. The
 * change then becomes an event without the person.
 */
export interface ErasureMark {
  erased: true;
  ttl: number;
}

export const isErasureMark = (item: object | undefined): boolean => item !== undefined && !('body' in item);

/** The item of an event, which may be the mark of an erasure; undefined when it is not kept any more. */
export const readEvent = (account: string, id: string): Promise<Partial<StoredEvent> | undefined> =>
  readItem(webhooks, eventKey(account, id));
