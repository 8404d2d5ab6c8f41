import { is } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { index } from '../../dynamodb/tables.ts';
import { writeDelete, writePut } from '../../dynamodb/transact.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { recordsOf } from '../../records/list.ts';
import { readRange } from '../../records/range.ts';
import { bucketOf } from '../buckets.ts';
import { createdPartition } from '../keys.ts';
import type { HourStart } from './differences.ts';

/** The mark of an hour, and what it has to be. Neither positions nor times of creation ever change, so what is right stays right. */
export interface MarkDifference {
  hour: string;
  stored: number | undefined;
  /** The first record of the hour; undefined when no record was created in it. */
  right: HourStart | undefined;
}

/**
 * The marks of the hours in which the records of a chunk were created that are missing or not right.
 * @param hours the hours of these records, in order
 */
export async function markDifferences(
  ref: CollectionRef,
  hours: ReadonlyMap<string, HourStart>,
  { start, end }: { start: number; end: number },
): Promise<MarkDifference[]> {
  const [first] = hours.keys();
  const last = [...hours.keys()].at(-1);
  if (first === undefined || last === undefined) return [];
  const before = await hourBefore(ref, start);
  // The mark of an hour that began before this chunk belongs to another chunk, and so do all marks before it.
  const right = new Map([...hours].filter(([hour]) => hour !== before));
  const marks = await readMarks(ref, start === 0 ? undefined : first);
  const stored = new Map([...marks].filter(([hour, at]) => hour !== before && (hour <= last || at < end)));
  const names = new Set([...right.keys(), ...stored.keys()]);
  return [...names]
    .filter((hour) => stored.get(hour) !== right.get(hour)?.first)
    .map((hour) => ({ hour, stored: stored.get(hour), right: right.get(hour) }));
}

/** The hour of the record before a position. */
async function hourBefore(ref: CollectionRef, position: number): Promise<string | undefined> {
  if (position === 0) return undefined;
  const [item] = await readRange(recordsOf(ref), position - 1, position);
  return item && bucketOf('hour', item.created_at as string);
}

async function readMarks(ref: CollectionRef, from: string | undefined): Promise<Map<string, number>> {
  const sk = from === undefined ? undefined : is('>=', from);
  const query = index.where({ pk: createdPartition(ref), sk });
  const items = await queryAll({ ...query, ConsistentRead: true });
  return new Map(items.map(({ sk, first }) => [sk as string, first as number]));
}

/**
 * Whether a mark makes answers wrong, or searches longer for a reason that is not lateness. A mark that is missing only makes a
 * search longer.
 * @param changedBefore records that have changed since this time may not be in the index yet, RFC 3339
 */
export const isMarkWrong = ({ stored, right }: MarkDifference, changedBefore: string): boolean =>
  stored !== undefined && (right === undefined || stored < right.first || right.createdAt < changedBefore);

/** Makes a mark right. */
export async function writeMark(ref: CollectionRef, { hour, right }: MarkDifference): Promise<void> {
  const key = { pk: createdPartition(ref), sk: hour };
  if (right === undefined) await writeDelete(index.delete(key));
  else await writePut(index.put({ ...key, first: right.first }));
}
