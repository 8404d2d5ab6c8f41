import { ApiError } from '../apiError.ts';
import { type Collection, resourceName, type Stored } from '../records/collection.ts';
import { getRecord } from '../records/get.ts';
import type { CollectionRef } from '../records/keys.ts';
import { type Extent, listRecords, type Page } from '../records/list.ts';
import { positionOf } from '../records/position.ts';
import { findByExternalId } from '../records/upsert/find.ts';
import { type Conditions, conditionsOf, isMatch, type ListQuery } from './conditions.ts';
import { firstCreatedSince } from './createdAt.ts';
import { Length } from './length.ts';
import { matchingPositions } from './matchingPositions.ts';
import { readRecords } from './readRecords.ts';
import type { PositionSet } from './sets/positionSet.ts';

/**
 * A page of the records that a query asks for. Every record of the page fulfils the query as it is now. A query without filters, and
 * one by `external_id` or by times of creation, is strongly consistent; another filter follows a change within about a second.
 * @throws ApiError 400 when `after` is no record of this collection
 */
export async function listMatching<R extends Stored>(
  collection: Collection<R>,
  account: string,
  query: ListQuery,
): Promise<Page<R>> {
  const ref = { account, type: collection.type };
  const conditions = conditionsOf(collection, query);
  const length = new Length(ref);
  const extent = await extentOf(collection, ref, query, length);
  if (query.external_id !== undefined) return listByExternalId(collection, ref, query, conditions, extent);
  if (conditions.values.length + conditions.times.length === 0 && query.updated_since === undefined)
    return listRecords(collection, account, query, extent);
  const found = await matchingPositions(collection, ref, query, { conditions, extent, length });
  if ('records' in found) return pageOf(found.records, query, extent);
  return readPage(collection, ref, query, conditions, { positions: found.positions, extent });
}

/** The positions that `after` and the times of creation leave. */
async function extentOf<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  { sort, after, created_since, created_before }: ListQuery,
  length: Length,
): Promise<Extent> {
  const newestFirst = sort === '-created_at';
  const [first, end, behind] = await Promise.all([
    created_since === undefined ? 0 : firstCreatedSince(ref, created_since, length),
    created_before === undefined ? Number.POSITIVE_INFINITY : firstCreatedSince(ref, created_before, length),
    after === undefined ? undefined : readPosition(collection, ref, after),
  ]);
  return {
    newestFirst,
    start: newestFirst || behind === undefined ? first : Math.max(first, behind + 1),
    end: newestFirst && behind !== undefined ? Math.min(end, behind) : end,
  };
}

async function readPosition<R extends Stored>(
  collection: Collection<R>,
  { account }: CollectionRef,
  id: string,
): Promise<number> {
  try {
    await getRecord(collection, account, id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(
      400,
      `after must be the id of a record of this list; no ${resourceName(collection)} has it`,
    );
  }
  return positionOf(collection.prefix, id) as number;
}

/** The record with an external id, if it fulfils the other conditions. The pointers of external ids are strongly consistent. */
async function listByExternalId<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  query: ListQuery,
  conditions: Conditions,
  { start, end, newestFirst }: Extent,
): Promise<Page<R>> {
  const found = await findByExternalId(collection, ref.account, [query.external_id as string]);
  const records = [...found.values()]
    .map(({ record }) => record)
    .filter((record) => {
      const position = positionOf(collection.prefix, record.id) as number;
      return position >= start && position < end && isMatch(record, query, conditions);
    });
  return pageOf(records, query, { newestFirst });
}

/** A page of records that were all read. @param records oldest first */
function pageOf<R extends Stored>(
  records: readonly R[],
  { limit, offset }: ListQuery,
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
async function readPage<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  query: ListQuery,
  conditions: Conditions,
  { positions, extent }: { positions: PositionSet; extent: Extent },
): Promise<Page<R>> {
  const { limit, offset } = query;
  const data: R[] = [];
  let [skipped, dropped] = [offset, 0];
  for (let i = 0; data.length === 0 || (i <= completionsMax && data.length < limit); i++) {
    const next = positions.select(skipped, limit - data.length, extent.newestFirst);
    if (next.length === 0) break;
    skipped += next.length;
    const records = await readRecords(collection, ref, next);
    const matching = records.filter((record) => isMatch(record, query, conditions));
    dropped += next.length - matching.length;
    data.push(...matching);
  }
  return { data, pagination: { limit, offset, total: positions.size - dropped } };
}
