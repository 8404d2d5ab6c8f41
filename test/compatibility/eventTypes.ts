import * as z from 'zod';
import { contact } from '../../lib/contract/contacts.ts';
import { eventRegistration } from '../../lib/contract/eventRegistrations.ts';
import { type EventType, type ResourceType, readScopes } from '../../lib/contract/eventTypes.ts';
import { order } from '../../lib/contract/orders.ts';
import type { Stored } from '../../lib/records/collection.ts';
import { eventOf } from '../../lib/webhooks/events/event.ts';

const schemas: Record<ResourceType, () => z.ZodObject> = {
  contact,
  order,
  event_registration: eventRegistration,
};

type Word = string | null;

/** The enum fields of a resource, with their words. */
function wordFields(type: ResourceType): [name: string, words: readonly Word[]][] {
  return Object.entries(schemas[type]().shape).flatMap(([name, schema]): [string, readonly Word[]][] => {
    const [inner, none] = schema instanceof z.ZodNullable ? [schema.unwrap(), [null]] : [schema, []];
    return inner instanceof z.ZodEnum ? [[name, [...(inner.options as string[]), ...none]]] : [];
  });
}

/** A field with its values before and after a change. */
type Transition = readonly [field: string, before: Word, after: Word];

/** Every change of one enum field, and for every two fields a change to every combination of two words. */
function transitionsOf(type: ResourceType): Transition[][] {
  const fields = wordFields(type);
  const single = fields.map(([name, words]) =>
    words.flatMap((before) =>
      words.filter((after) => after !== before).map((after): Transition => [name, before, after]),
    ),
  );
  const double = fields.flatMap(([name, words], i) =>
    fields.slice(i + 1).flatMap(([other, otherWords]) =>
      words.flatMap((after) =>
        otherWords.map((otherAfter): Transition[] => [
          [name, words.find((word) => word !== after) ?? null, after],
          [other, otherWords.find((word) => word !== otherAfter) ?? null, otherAfter],
        ]),
      ),
    ),
  );
  return [...single.flat().map((transition) => [transition]), ...double];
}

const record = (fields: object) => ({ id: '1', version: 1, updated_at: '', ...fields }) as unknown as Stored;

const typeOf = (type: ResourceType, before: object | undefined, after: object): EventType =>
  eventOf({ account: 'a', type, before: before && record(before), after: record(after) }).type;

/**
 * The event type of each kind of change, by a description of the change. Subscribers rely on it: a type must report the
 * same changes in every release.
 */
export function eventTypesOfChanges(): Record<string, EventType> {
  const found: Record<string, EventType> = {};
  for (const type of Object.keys(readScopes) as ResourceType[]) {
    found[`${type}: is new`] = typeOf(type, undefined, {});
    found[`${type}: another field`] = typeOf(type, { other: 1 }, { other: 2 });
    for (const transitions of transitionsOf(type)) {
      const change = transitions.map(([field, before, after]) => `${field} ${before} → ${after}`).join(', ');
      const at = (time: 1 | 2) =>
        Object.fromEntries(transitions.map((transition) => [transition[0], transition[time]]));
      found[`${type}: ${change}`] = typeOf(type, at(1), at(2));
    }
  }
  return found;
}
