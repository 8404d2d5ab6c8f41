import type { EventResourceType, EventType, testEventType } from '../../contract/eventTypes.ts';
import type { ShownOrigin } from '../../contract/origin.ts';
import { changedFields, eventId, eventPrefix, eventTypeOf, recordField } from '../../feed/feedEntry.ts';
import { randomId } from '../../ids.ts';
import type { RecordChange } from '../../records/change.ts';
import type { Notice } from '../../records/notice.ts';
import examples from './examples.json' with { type: 'json' };
import type { Payload } from './payload.ts';

/** An event as it is stored. Its body is serialised once, so that every attempt sends the same bytes. */
export interface WebhookEvent {
  id: string;
  type: EventType;
  /** A record, or a subscription. */
  resource: { type: EventResourceType; id: string };
  origin: ShownOrigin;
  changed_fields: readonly string[];
  body: string;
  /** The record was deleted later, so the body is thin. */
  redacted?: true;
}

/** The fields that every event body contains, whatever the payload. */
interface EventHead<Type = string, ResourceType = string> {
  id: string;
  type: Type;
  /** RFC 3339 in UTC with milliseconds. */
  timestamp: string;
  resource: { type: ResourceType; id: string; version: number };
  origin: ShownOrigin;
  changed_fields: readonly string[];
}

/** Returns the text that is sent. No other function writes it, so its fields always have the same order. */
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

export function webhookEventOf(change: RecordChange): WebhookEvent {
  const { account, type, before, after, origin, deletion } = change;
  const changed_fields = changedFields(change);
  const head = {
    id: eventId(account, after),
    type: eventTypeOf(change),
    timestamp: after.updated_at,
    resource: { type, id: after.id, version: after.version },
    origin,
    changed_fields,
  };
  const previous = Object.fromEntries(
    changed_fields.map((name) => [name, before && recordField(before, name)]),
  );
  const data = deletion ? { id: after.id, merged_into: deletion.mergedInto } : after;
  return serialised(head, { previous, data });
}

export function noticeEventOf({ account, type, resource, at, origin, ...content }: Notice): WebhookEvent {
  const changed_fields = Object.keys(content.previous);
  const head = { id: eventId(account, resource), type, timestamp: at, resource, origin, changed_fields };
  return serialised(head, content);
}

const serialised = (
  head: EventHead<EventType, EventResourceType>,
  content: { previous: object; data: object },
): WebhookEvent => ({
  id: head.id,
  type: head.type,
  resource: { type: head.resource.type, id: head.resource.id },
  origin: head.origin,
  changed_fields: head.changed_fields,
  body: bodyOf(head, content),
});

/** Returns the body for a payload. The thin body is derived from the full one, so it also has the same bytes in every attempt. */
export function bodyFor(payload: Payload, full: string): string {
  if (payload === 'full') return full;
  const event: EventHead = JSON.parse(full);
  // The event of a deletion has no content, and shows the record into which this one was merged.
  if (isOfDeletion(event)) return full;
  return bodyOf(event, { previous: {}, data: { id: event.resource.id } });
}

/** Returns the event without content, for a record that was deleted after the change. */
export const withoutContent = (event: WebhookEvent): WebhookEvent => ({
  ...event,
  body: bodyFor('thin', event.body),
  redacted: true,
});

export const isOfDeletion = ({ type }: { type: string }): boolean => type.endsWith('.deleted');

/** Returns the event of a test. Its resource is the subscription, and it shows only the id. */
export function testEvent(subscription: { id: string; version: number }, type: typeof testEventType) {
  const { id, version } = subscription;
  const resource = { type: 'webhook_subscription', id, version };
  return sample({ type, resource, origin: null, changed_fields: [] }, { previous: {}, data: { id } });
}

/**
 * Returns an event of this type about a record that does not exist: the example of the reference (`npm run openapi` writes the file). Its
 * origin shows that it is a test.
 */
export function exampleEvent(type: EventType, payload: Payload) {
  const { resource, changed_fields, ...content } = examples[type as keyof typeof examples];
  const { id, body } = sample({ type, resource, origin: { kind: 'test' }, changed_fields }, content);
  return { id, body: bodyFor(payload, body) };
}

function sample(head: Omit<EventHead, 'id' | 'timestamp'>, content: { previous: object; data: object }) {
  const id = randomId(eventPrefix);
  return { id, body: bodyOf({ ...head, id, timestamp: new Date().toISOString() }, content) };
}

export interface StoredEvent {
  /** The full body; after a redaction, the thin one. */
  body: string;
  /** The position of its delivery in the log of each subscription. A redaction uses it to find the deliveries. */
  delivery_positions: Record<string, number>;
  /** The record was deleted. The event and its deliveries no longer have any content. */
  redacted?: true;
  ttl: number;
}
