import { ApiError, badRequest } from '../apiError.ts';
import { constant, ours } from '../constant.ts';
import { problemOf } from '../problem.ts';
import { getRecord } from '../records/get.ts';
import type { CollectionRef } from '../records/keys.ts';
import { type Extent, listRecords, type Page } from '../records/list.ts';
import { positionOf, positionsOf } from '../records/position.ts';
import { resourceName } from '../records/refusals.ts';
import { findByExternalId } from '../records/upsert/find.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import { filtersOf } from '../resources/collections.ts';
import { type Conditions, conditionsOf, isMatch, type ListQuery } from './conditions.ts';
import { firstCreatedSince } from './created/createdAt.ts';
import { filteredPage, pageOf } from './filteredPage.ts';
import { fittingPage } from './fittingPage.ts';
import { Length } from './length.ts';
import { readRecords } from './readRecords.ts';
import { nextUpdatedSince } from './updated/nextUpdatedSince.ts';
import { readUpdated } from './updated/updatedSince.ts';

/** A page with the time from which the next walk goes on. */
interface RecordPage<R> {
  data: R[];
  pagination: Page<R>['pagination'] & { next_updated_since: string | null };
}

/**
 * A page of the records that a query asks for, as `pageMatching`.
 * @throws ApiError 400 when `after` is not a record of this collection, or an answer cannot hold the page
 */
export async function listMatching<R extends Stored>(
  collection: Collection<R>,
  account: string,
  query: ListQuery,
): Promise<RecordPage<R>> {
  const startedAt = Date.now();
  const [page, next_updated_since] = await Promise.all([
    pageMatching(collection, account, query),
    nextUpdatedSince({ account, type: collection.type }, query, startedAt),
  ]);
  const { data, pagination } = fittingPage(collection, page);
  return { data, pagination: { ...pagination, next_updated_since } };
}

/**
 * A page of the records that a query asks for. Every record of the page fulfils the query as it is now. A query without filters, and
 * one by `external_id` or by times of creation, is strongly consistent; another filter follows a change within about a second, or
 * later when the account has deferred items.
 */
async function pageMatching<R extends Stored>(
  collection: Collection<R>,
  account: string,
  query: ListQuery,
): Promise<Page<R>> {
  const ref = { account, type: collection.type };
  const conditions = conditionsOf(filtersOf(collection), query);
  const length = new Length(ref);
  if (query.id !== undefined) return listByIds(collection, ref, query, conditions);
  const extent = await extentOf(collection, ref, query, length);
  if (query.external_id !== undefined) return listByExternalId(collection, ref, query, conditions, extent);
  if (conditions.values.length + conditions.times.length === 0 && query.updated_since === undefined)
    return listRecords(collection, account, query, extent);
  const filter = {
    ref,
    length,
    conditions,
    read: (positions: readonly number[]) => readRecords(collection, ref, positions),
    isMatch: (record: R) => isMatch(record, query, conditions),
    more: async () =>
      query.updated_since === undefined ? [] : [await readUpdated(ref, query.updated_since, length)],
  };
  return filteredPage(filter, query, extent);
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
    throw badRequest([
      problemOf(
        constant`after`,
        constant`must be the id of a record of this list; no ${ours(resourceName(collection))} has it`,
      ),
    ]);
  }
  return positionOf(collection.prefix, id) as number;
}

/** The record with an external id, if it fulfils the other conditions. The pointers of external ids are strongly consistent. */
async function listByExternalId<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  query: ListQuery,
  conditions: Conditions,
  extent: Extent,
): Promise<Page<R>> {
  const found = await findByExternalId(collection, ref.account, [query.external_id as string]);
  const records = [...found.values()].map(({ record }) => record);
  return pageWithin(collection, records, query, conditions, extent);
}

/**
 * The records with these ids that fulfil the other conditions. An id has the position of its record, so each takes one read, and no set of
 * the index is needed: the page is strongly consistent.
 */
async function listByIds<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  query: ListQuery,
  conditions: Conditions,
): Promise<Page<R>> {
  const ids = query.id ?? [];
  // Times of creation are looked at in the records.
  const { sort, after } = query;
  const [extent, found] = await Promise.all([
    extentOf(collection, ref, { limit: 1, offset: 0, sort, after }, new Length(ref)),
    readRecords(collection, ref, positionsOf(collection.prefix, ids)),
  ]);
  const records = found.filter(({ id }) => ids.includes(id));
  return pageWithin(collection, records, query, conditions, extent);
}

/** A page of those of these records that are in a part of the collection and fulfil a query. @param records oldest first */
function pageWithin<R extends Stored>(
  { prefix }: Collection<R>,
  records: readonly R[],
  query: ListQuery,
  conditions: Conditions,
  { start, end, newestFirst }: Extent,
): Page<R> {
  const matching = records.filter((record) => {
    const position = positionOf(prefix, record.id) as number;
    return position >= start && position < end && isMatch(record, query, conditions);
  });
  return pageOf(matching, query, { newestFirst });
}
