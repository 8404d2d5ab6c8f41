import * as z from 'zod';
import type { EventType } from '../../lib/contract/eventTypes.ts';
import type { Stored } from '../../lib/resources/collection.ts';
import type { ResourceType } from '../../lib/resources/index.ts';
import { resourceTypes } from '../../lib/resources/index.ts';
import { schemas } from '../../lib/resources/schemas.ts';
import { eventOf } from '../../lib/webhooks/model/event.ts';

type Word = string | null;

/** The enum fields of a resource, with their words. */
function wordFields(type: ResourceType): [name: string, words: readonly Word[]][] {
  return Object.entries(schemas[type].record().shape).flatMap(
    ([name, schema]): [string, readonly Word[]][] => {
      const [inner, none] = schema instanceof z.ZodNullable ? [schema.unwrap(), [null]] : [schema, []];
      return inner instanceof z.ZodEnum ? [[name, [...(inner.options as string[]), ...none]]] : [];
    },
  );
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
  eventOf({ account: 'a', type, before: before && record(before), after: record(after), origin: null }).type;

/**
 * The event type of each kind of change, by a description of the change. Subscribers rely on it: a type must report the
 * same changes in every release.
 */
export function eventTypesOfChanges(): Record<string, EventType> {
  const found: Record<string, EventType> = {};
  for (const type of resourceTypes) {
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
