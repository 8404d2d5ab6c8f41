import type { EventType } from '../../contract/eventTypes.ts';
import { eventPrefix } from '../../feed/entry.ts';
import { randomId } from '../../ids.ts';
import { bodyOf } from './event.ts';
import examples from './examples.json' with { type: 'json' };
import type { Payload } from './payload.ts';

/** What an event says of its record, and the record. */
interface Example {
  resource: { type: string; id: string; version: number };
  changed_fields: string[];
  previous: object;
  data: object;
}

/**
 * An event of this type about a record that nobody has: that of the reference (`npm run openapi` writes the file). Its origin shows that
 * it is a test.
 */
export function exampleEvent(type: EventType, payload: Payload): { id: string; body: string } {
  const { resource, changed_fields, previous, data } = (examples as Record<EventType, Example>)[type];
  const id = randomId(eventPrefix);
  const timestamp = new Date().toISOString();
  const head = { id, type, timestamp, resource, origin: { kind: 'test' } as const, changed_fields };
  const thin = { previous: {}, data: type.endsWith('.deleted') ? data : { id: resource.id } };
  return { id, body: bodyOf(head, payload === 'full' ? { previous, data } : thin) };
}
