import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventType, ResourceType, testEventType } from '../../contract/eventTypes.ts';
import { base32, randomId } from '../../ids.ts';
import type { Stored } from '../../records/collection.ts';
import type { Payload } from '../subscriptions/payload.ts';

/** A committed change of a record. */
export interface Change {
  account: string;
  type: ResourceType;
  /** undefined when the record was created. */
  before: Stored | undefined;
  after: Stored;
}

/** An event as it is sent. The bodies are serialised once, so that every attempt sends the same bytes. */
export interface WebhookEvent {
  id: string;
  type: EventType;
  bodies: Record<Payload, string>;
}

const eventPrefix = 'evt';

/** The id is the same for the same version of a record, so a change that is handed over twice makes one event. */
export const eventId = (account: string, { id, version }: Pick<Stored, 'id' | 'version'>): string =>
  `${eventPrefix}_${base32(createHash('sha256').update(`${account}#${id}#${version}`).digest().subarray(0, 15))}`;

/** Fields that change with every version. They are not listed: `version` and `timestamp` show their change. */
const versionFields = new Set(['version', 'updated_at']);

export function eventOf({ account, type, before, after }: Change): WebhookEvent {
  const changed = before
    ? Object.keys(after).filter(
        (name) => !versionFields.has(name) && !isDeepStrictEqual(fieldOf(before, name), fieldOf(after, name)),
      )
    : [];
  const eventType = typeOf(type, before, after);
  const event = {
    id: eventId(account, after),
    type: eventType,
    timestamp: after.updated_at,
    api_version: 'v1',
    resource: { type, id: after.id, version: after.version },
    changed_fields: changed,
  };
  const previous = Object.fromEntries(changed.map((name) => [name, before && fieldOf(before, name)]));
  return {
    id: event.id,
    type: eventType,
    bodies: {
      full: JSON.stringify({ ...event, previous, data: after }),
      thin: JSON.stringify({ ...event, previous: {}, data: { id: after.id } }),
    },
  };
}

const fieldOf = (record: Stored, name: string): unknown => record[name as keyof Stored];

/** What a field becomes that makes a change more than an update. Of several the first counts. */
const transitions: Record<
  ResourceType,
  readonly (readonly [EventType, field: string, values: readonly string[]])[]
> = {
  contact: [],
  order: [
    ['order.cancelled', 'status', ['cancelled']],
    ['order.refunded', 'payment_status', ['refunded', 'partially_refunded']],
    ['order.paid', 'payment_status', ['paid']],
  ],
  event_registration: [
    ['event_registration.cancelled', 'status', ['cancelled']],
    ['event_registration.checked_in', 'attendance', ['checked_in']],
  ],
};

/** One change is one event, of the most specific type. */
function typeOf(type: ResourceType, before: Stored | undefined, after: Stored): EventType {
  if (!before) return `${type}.created`;
  const match = transitions[type].find(([, field, values]) => {
    const value = fieldOf(after, field) as string;
    return values.includes(value) && value !== fieldOf(before, field);
  });
  return match ? match[0] : `${type}.updated`;
}

/** The event of a test. Its resource is the subscription; it shows only the id. */
export function testEvent(subscription: { id: string; version: number }, type: typeof testEventType) {
  const { id, version } = subscription;
  const event = {
    id: randomId(eventPrefix),
    type,
    timestamp: new Date().toISOString(),
    api_version: 'v1',
    resource: { type: 'webhook_subscription', id, version },
    changed_fields: [],
    previous: {},
    data: { id },
  };
  return { id: event.id, body: JSON.stringify(event) };
}
