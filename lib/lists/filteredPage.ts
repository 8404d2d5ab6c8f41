import type { Extent, Page } from '../records/list.ts';
import type { PageQuery } from '../values/lists.ts';
import { type Filter, matchingPositions } from './matchingPositions.ts';
import type { PositionSet } from './sets/positionSet.ts';

/** A page of what a filter lets through in a part of a sequence. Each record of it matches the filter as it is now. */
export async function filteredPage<R>(filter: Filter<R>, query: PageQuery, extent: Extent): Promise<Page<R>> {
  const found = await matchingPositions(filter, extent);
  return 'records' in found
    ? pageOf(found.records, query, extent)
    : readPage(filter, query, { positions: found.positions, extent });
}

/** A page of records that were all read. @param records oldest first */
export function pageOf<R>(
  records: readonly R[],
  { limit, offset }: PageQuery,
  { newestFirst }: Pick<Extent, 'newestFirst'>,
): Page<R> {
  const ordered = newestFirst ? records.toReversed() : records;
  return {
    data: ordered.slice(offset, offset + limit),
    pagination: { limit, offset, total: records.length },
  };
}

/**
 * How often the rest of a page is read, after records of it did not fulfil the query any more. An empty page is always read on:
 * a walk ends with it.
 */
const completionsMax = 2;

/** A page of the records at these positions. Those that do not fulfil the query any more are left out, and not counted. */
async function readPage<R>(
  { read, isMatch }: Filter<R>,
  { limit, offset }: PageQuery,
  { positions, extent }: { positions: PositionSet; extent: Extent },
): Promise<Page<R>> {
  const data: R[] = [];
  let [skipped, dropped] = [offset, 0];
  for (let i = 0; data.length === 0 || (i <= completionsMax && data.length < limit); i++) {
    const next = positions.select(skipped, limit - data.length, extent.newestFirst);
    if (next.length === 0) break;
    skipped += next.length;
    const matching = (await read(next)).filter(isMatch);
    dropped += next.length - matching.length;
    data.push(...matching);
  }
  return { data, pagination: { limit, offset, total: positions.size - dropped } };
}
