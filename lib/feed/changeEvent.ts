import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../contract/eventTypes.ts';
import { base32 } from '../ids.ts';
import type { Change } from '../records/change.ts';
import type { Stored } from '../resources/collection.ts';
import { transitionsOf } from '../resources/collections.ts';

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

/** One change is one event, of the most specific type. */
export function eventTypeOf({ type, before, after }: Change): EventType {
  if (!before) return `${type}.created`;
  const match = transitionsOf(type).find(([, field, becomes]) => {
    const [was, is] = [fieldOf(before, field), fieldOf(after, field)];
    return becomes === 'more' ? (is as number) > (was as number) : becomes.includes(is) && is !== was;
  });
  return match ? match[0] : `${type}.updated`;
}
