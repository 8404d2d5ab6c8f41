import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventType, ResourceType } from '../contract/eventTypes.ts';
import { base32 } from '../ids.ts';
import type { Change } from '../records/change.ts';
import type { Stored } from '../records/collection.ts';

export const eventPrefix = 'evt';

/** The id is the same for the same version of a record, so a change that is handed over twice makes one event. */
export const eventId = (account: string, { id, version }: Pick<Stored, 'id' | 'version'>): string =>
  `${eventPrefix}_${base32(createHash('sha256').update(`${account}#${id}#${version}`).digest().subarray(0, 15))}`;

export const fieldOf = (record: Stored, name: string): unknown => record[name as keyof Stored];

/** Fields that change with every version. They are not listed: `version` and `updated_at` of the record show their change. */
const versionFields = new Set(['version', 'updated_at']);

/** The names of the fields that a change has changed; none when it created the record. */
export const changedFields = ({ before, after }: Change): string[] =>
  before
    ? Object.keys(after).filter(
        (name) => !versionFields.has(name) && !isDeepStrictEqual(fieldOf(before, name), fieldOf(after, name)),
      )
    : [];

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
export function eventTypeOf({ type, before, after }: Change): EventType {
  if (!before) return `${type}.created`;
  const match = transitions[type].find(([, field, values]) => {
    const value = fieldOf(after, field) as string;
    return values.includes(value) && value !== fieldOf(before, field);
  });
  return match ? match[0] : `${type}.updated`;
}
