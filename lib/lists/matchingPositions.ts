import { CollectionMap } from '../records/collectionMap.ts';
import type { SequenceRef } from '../records/keys.ts';
import type { Extent } from '../records/list.ts';
import type { Conditions, ValueCondition } from './conditions.ts';
import { groupsOf, readTimes, readValue } from './readSets.ts';
import { chunkOf, groupOf } from './sets/chunk.ts';
import { PositionSet } from './sets/positionSet.ts';

/** What a list asks for, and where it is found. */
export interface Filter<R> {
  ref: SequenceRef;
  /** The length of the sequence. */
  length: { read(): Promise<number> };
  /** At least one, or `more` has sets. */
  conditions: Conditions;
  /** The records at these positions as they are now, in the order of the positions, without those that do not exist. */
  read(positions: readonly number[]): Promise<R[]>;
  /** Whether a record is what is asked for. It decides: the index may be behind. */
  isMatch(record: R): boolean;
  /** More sets, in all of which a record has to be. */
  more?(): Promise<PositionSet[]>;
}

/** Up to this many candidates are read one by one: the sets of the other conditions would cost more. */
const candidatesMax = 100;

/**
 * The positions that fulfil a filter by the index; or the records, oldest first, when there were so few candidates that they were
 * read.
 */
export async function matchingPositions<R>(
  filter: Filter<R>,
  { start, end }: Extent,
): Promise<{ positions: PositionSet } | { records: R[] }> {
  const { ref, conditions } = filter;
  const { true: selective = [], false: broad = [] } = Object.groupBy(conditions.values, ({ field }) =>
    field.isSelective ? 'true' : 'false',
  );
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
    filter.more?.() ?? [],
  ]);
  const all = [...(positions ? [positions] : []), ...others.flat()];
  return { positions: intersection(all).within(start, end) };
}

/** @param sets at least one */
const intersection = (sets: readonly PositionSet[]): PositionSet => sets.reduce((both, set) => both.and(set));

/** The number of groups that a sequence had when this process last read its length. */
const knownGroups = new CollectionMap<number>();

/**
 * The positions that fulfil each of these conditions. The length is read at the same time, for the groups that there are.
 * @param start positions before it are not needed
 */
async function readValues(
  { ref, length }: Pick<Filter<unknown>, 'ref' | 'length'>,
  conditions: readonly ValueCondition[],
  start: number,
): Promise<PositionSet[]> {
  if (conditions.length === 0) return [];
  const first = groupOf(chunkOf(start));
  const known = Math.max(first + 1, knownGroups.get(ref) ?? 1);
  const [count, sets] = await Promise.all([length.read(), readGroups(ref, conditions, first, known)]);
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
