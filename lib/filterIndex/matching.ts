import { between } from '../dynamodb/expressions.ts';
import { queryPages } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import { CollectionMap } from '../records/collectionMap.ts';
import { readCount } from '../records/counter.ts';
import type { Extent } from '../records/listByOffset.ts';
import type { CollectionRef, SequenceRef } from '../records/recordKeys.ts';
import {
  addBits,
  type Bits,
  chunkGroupOf,
  chunkOf,
  decodeBits,
  noBits,
  setBit,
} from '../records/sets/chunk.ts';
import { PositionSet } from '../records/sets/positionSet.ts';
import type { ValueField } from '../resources/collection.ts';
import { lazy } from '../schemas/lazy.ts';
import { type BucketRange, bucketsOf, type TimeRange } from './buckets.ts';
import type { FilterConditions, ValueCondition } from './conditions.ts';
import { bucketKeys, chunkOfKey, timePartition, valuePartition } from './indexKeys.ts';
import { decodeLeaf } from './sets/itemContent.ts';

export interface Filter<R> {
  ref: SequenceRef;
  length: () => Promise<number>;
  /** At least one condition, unless `moreSets` returns some. */
  conditions: FilterConditions;
  /** Reads the records at these positions as they are now, in the order of the positions, without those that do not exist. */
  read(positions: readonly number[]): Promise<R[]>;
  /** Returns whether a record matches the query. This decides, because the index may lag behind. */
  isMatch(record: R): boolean;
  /** Reads further sets that the result must be in. */
  moreSets?(): Promise<PositionSet[]>;
}

/** Up to this many candidates are read one by one, because the sets of the other conditions would cost more. */
const candidatesMax = 100;

/**
 * Returns the positions that fulfil a filter according to the index. If there were so few candidates that their records were read, it returns
 * the records, oldest first.
 */
export async function matchingPositions<R>(
  filter: Filter<R>,
  { start, end }: Extent,
): Promise<{ positions: PositionSet } | { records: R[] }> {
  const { ref, conditions } = filter;
  const selective = conditions.values.filter(({ field }) => field.isSelective);
  const broad = conditions.values.filter(({ field }) => !field.isSelective);
  let positions: PositionSet | undefined;
  if (selective.length > 0) {
    positions = intersection(await readValues(filter, selective, start)).within(start, end);
    if (positions.size <= candidatesMax) {
      const records = await filter.read(positions.select(0, candidatesMax));
      return { records: records.filter(filter.isMatch) };
    }
  }
  const others = await Promise.all([
    readValues(filter, broad, start),
    Promise.all(conditions.times.map(({ field, range }) => readTimes(ref, field.name, range))),
    filter.moreSets?.() ?? [],
  ]);
  const all = [...(positions ? [positions] : []), ...others.flat()];
  return { positions: intersection(all).within(start, end) };
}

/** @param sets at least one */
const intersection = (sets: readonly PositionSet[]): PositionSet => sets.reduce((both, set) => both.and(set));

/** How many groups a sequence had when this process last read its length. */
const knownGroups = new CollectionMap<number>();

/**
 * Returns the positions that fulfil each of these conditions. The length is read at the same time, to know which groups exist.
 * @param start the caller needs no positions before this
 */
async function readValues(
  { ref, length }: Pick<Filter<unknown>, 'ref' | 'length'>,
  conditions: readonly ValueCondition[],
  start: number,
): Promise<PositionSet[]> {
  if (conditions.length === 0) return [];
  const first = chunkGroupOf(chunkOf(start));
  const known = Math.max(first + 1, knownGroups.get(ref) ?? 1);
  const [count, sets] = await Promise.all([length(), readGroups(ref, conditions, first, known)]);
  const groups = groupsOf(count);
  knownGroups.set(ref, groups);
  if (groups <= known) return sets;
  const more = await readGroups(ref, conditions, known, groups);
  return sets.map((set, i) => PositionSet.union([set, more[i] as PositionSet]));
}

const readGroups = (
  ref: SequenceRef,
  conditions: readonly ValueCondition[],
  first: number,
  end: number,
): Promise<PositionSet[]> =>
  Promise.all(
    conditions.map(async ({ field, values, all }) => {
      const sets = await Promise.all(values.map((value) => readValue(ref, field, value, first, end)));
      return all ? intersection(sets) : PositionSet.union(sets);
    }),
  );

const groupsOf = (count: number): number => chunkGroupOf(chunkOf(Math.max(0, count - 1))) + 1;

/**
 * Returns the positions of the records with a value, in the groups from `first` to before `end`.
 * @param value in the form in which values are compared
 */
async function readValue(
  ref: SequenceRef,
  field: ValueField<never>,
  value: string,
  first: number,
  end: number,
): Promise<PositionSet> {
  const groups = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const chunks = new Map<number, Bits>();
  await Promise.all(
    groups.map((group) =>
      query(valuePartition(ref, field, value, group), undefined, ({ sk, members }) =>
        chunks.set(chunkOfKey(sk), decodeBits(members)),
      ),
    ),
  );
  return new PositionSet(chunks);
}

/** Returns the positions of the records with a time in a range. Both ends are exact. */
export async function readTimes(ref: SequenceRef, field: string, range: TimeRange): Promise<PositionSet> {
  const chunks = new Map<number, Bits>();
  const since = range.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(range.since);
  const before = range.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(range.before);
  const readBuckets = ({ level, first, last }: BucketRange) =>
    query(timePartition(ref, field, level), bucketKeys(first, last), ({ sk, members }) => {
      const chunk = chunkOfKey(sk);
      const bits = chunks.get(chunk) ?? noBits();
      chunks.set(chunk, bits);
      if (level !== 'hour') return addBits(bits, decodeBits(members));
      const hour = Date.parse(`${sk.split('#')[0]}:00:00.000Z`);
      for (const [at, ms] of decodeLeaf(members))
        if (hour + ms >= since && hour + ms < before) setBit(bits, at, true);
    });
  await Promise.all(bucketsOf(range).map(readBuckets));
  return new PositionSet(chunks);
}

interface IndexItem {
  sk: string;
  members: Uint8Array;
}

/** Reads the index with eventual consistency, at half the price: each record of a page is compared with the filter anyway. */
async function query(
  partition: string,
  ends: [string, string] | undefined,
  take: (item: IndexItem) => void,
): Promise<void> {
  const pages = queryPages<IndexItem>(index.where({ pk: partition, sk: ends && between(...ends) }));
  for await (const items of pages)
    for (const item of items)
      try {
        take(item);
      } catch (cause) {
        throw new Error(`The item ${partition} ${item.sk} of the index cannot be read`, { cause });
      }
}

/** Returns the length of a collection for one request. It is read once, at the first use, with strong consistency. */
export const lengthOf = (ref: CollectionRef): Filter<unknown>['length'] => lazy(() => readCount(ref));
