import type { Collection, Stored } from '../records/collection.ts';
import { CollectionMap } from '../records/collectionMap.ts';
import type { CollectionRef } from '../records/keys.ts';
import type { Extent } from '../records/list.ts';
import { type Conditions, isMatch, type ListQuery, type ValueCondition } from './conditions.ts';
import { firstCreatedSince } from './createdAt.ts';
import { updated } from './entries.ts';
import type { Length } from './length.ts';
import { readRecords } from './readRecords.ts';
import { groupsOf, readTimes, readValue } from './readSets.ts';
import { PositionSet } from './sets/positionSet.ts';

/** So many candidates are read themselves: the sets of the other conditions would cost more. */
const candidatesMax = 100;

/**
 * The positions that fulfil a query by the index; or the records, oldest first, when there were so few candidates that they were
 * read.
 */
export async function matchingPositions<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  query: ListQuery,
  { conditions, extent, length }: { conditions: Conditions; extent: Extent; length: Length },
): Promise<{ positions: PositionSet } | { records: R[] }> {
  const { start, end } = extent;
  const { true: selective = [], false: broad = [] } = Object.groupBy(conditions.values, ({ field }) =>
    field.isSelective ? 'true' : 'false',
  );
  let positions: PositionSet | undefined;
  if (selective.length > 0) {
    positions = intersection(await readValues(ref, selective, length)).within(start, end);
    if (positions.size <= candidatesMax) {
      const records = await readRecords(collection, ref, positions.select(0, candidatesMax));
      return { records: records.filter((record) => isMatch(record, query, conditions)) };
    }
  }
  const others = await Promise.all([
    readValues(ref, broad, length),
    Promise.all(conditions.times.map(({ field, range }) => readTimes(ref, field.name, range))),
    query.updated_since === undefined ? [] : readUpdated(ref, query.updated_since, length),
  ]);
  const all = [...(positions ? [positions] : []), ...others.flat()];
  return { positions: intersection(all).within(start, end) };
}

/** @param sets at least one */
const intersection = (sets: readonly PositionSet[]): PositionSet => sets.reduce((both, set) => both.and(set));

/** The number of groups that a collection had when this process last read its length. */
const knownGroups = new CollectionMap<number>();

/** The positions that fulfil each of these conditions. The length of the collection is read at the same time, for the groups that it has. */
async function readValues(
  ref: CollectionRef,
  conditions: readonly ValueCondition[],
  length: Length,
): Promise<PositionSet[]> {
  if (conditions.length === 0) return [];
  const known = knownGroups.get(ref) ?? 1;
  const [count, sets] = await Promise.all([length.read(), readGroups(ref, conditions, 0, known)]);
  const groups = groupsOf(count);
  knownGroups.set(ref, groups);
  if (groups <= known) return sets;
  const more = await readGroups(ref, conditions, known, groups);
  return sets.map((set, i) => PositionSet.union([set, more[i] as PositionSet]));
}

const readGroups = (
  ref: CollectionRef,
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

/** The clock of another process may be ahead by less than this. */
const aheadMs = 24 * 3_600_000;

/** The positions of the records that were created or changed since a time. */
async function readUpdated(ref: CollectionRef, since: string, length: Length): Promise<PositionSet[]> {
  const before = new Date(Date.now() + aheadMs).toISOString();
  const [changed, first, count] = await Promise.all([
    readTimes(ref, updated, { since, before }),
    firstCreatedSince(ref, since, length),
    length.read(),
  ]);
  return [PositionSet.union([changed, PositionSet.range(first, count)])];
}
