import { invalidField } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import { readById } from '../records/get.ts';
import { type Extent, listRecords, type Page } from '../records/listByOffset.ts';
import { positionOf, positionsOf } from '../records/position.ts';
import { type AccountCollection, type CollectionRef, resourceName } from '../records/recordKeys.ts';
import type { PositionSet } from '../records/sets/positionSet.ts';
import { findByExternalId } from '../records/upsert/find.ts';
import type { Stored } from '../resources/collection.ts';
import { resources } from '../resources/index.ts';
import type { PageQuery } from '../schemas/lists.ts';
import type { TimeRange } from './buckets.ts';
import { assertComplete } from './completeFilters.ts';
import { type ListQuery, matchesRecord, type RecordConditions, recordConditionsOf } from './conditions.ts';
import { fittingPage } from './fittingPage.ts';
import { type Filter, lengthOf, matchingPositions } from './matching.ts';
import { readRecords } from './readRecords.ts';
import { firstCreatedSince, nextUpdatedSince, readUpdated } from './updatedTimes.ts';

// The entry point of this folder: pages of lists. The records with a value, such as `status=confirmed`, are a set of positions, stored in
// chunks as bits. A filtered page intersects the sets of its filters, counts the result, and reads the members from rank `offset` on. So any
// offset costs the same, and `total` is the size of the result. The sets follow the stream of changes (indexChanges.ts, maintain.ts), so each
// record of a page is checked against the query as it is now. Once a day, a comparison with the records reports differences (verify/), and an
// operator's command repairs them.

/**
 * Returns the page that `pageMatching` finds, with `next_updated_since`.
 * @throws ApiError 400 if `after` is not a record of this collection, a filter is not complete, or the page does not fit into a response
 */
export async function listMatching<R extends Stored>(ref: AccountCollection<R>, query: ListQuery) {
  const startedAt = Date.now();
  const [page, next_updated_since] = await Promise.all([
    pageMatching(ref, query),
    nextUpdatedSince(ref, query, startedAt),
  ]);
  const { data, pagination } = fittingPage(ref.collection, page);
  return { data, pagination: { ...pagination, next_updated_since } };
}

/**
 * Returns a page of the records that a query asks for. Every record of the page fulfils the query as it is now. Queries without filters, or by
 * `id`, `external_id` or times of creation, are strongly consistent. Other filters reflect a change within about a second, or later if the
 * account has deferred changes.
 */
async function pageMatching<R extends Stored>(ref: AccountCollection<R>, query: ListQuery): Promise<Page<R>> {
  const conditions = recordConditionsOf(ref.collection.filters, query);
  if (query.id !== undefined || conditions.externalId !== undefined)
    return pageOfNamed(ref, query, conditions);
  const { created, updated, values, times } = conditions;
  const length = lengthOf(ref);
  const [extent] = await Promise.all([
    extentOf(ref, query, created, length),
    assertComplete(ref, conditions),
  ]);
  if (values.length + times.length === 0 && updated.since === undefined)
    return listRecords(ref, query, extent);
  const filter = {
    ref,
    length,
    conditions,
    read: (positions: readonly number[]) => readRecords(ref, positions),
    isMatch: (record: R) => matchesRecord(record, conditions),
    moreSets: async () => (updated.since === undefined ? [] : [await readUpdated(ref, updated.since)]),
  };
  return filteredPage(filter, query, extent);
}

/** Returns the positions that remain after `after` and the times of creation. */
async function extentOf(
  ref: CollectionRef,
  { sort, after }: ListQuery,
  { since, before }: TimeRange,
  length: () => Promise<number>,
): Promise<Extent> {
  const newestFirst = sort === '-created_at';
  const [first, end, behind] = await Promise.all([
    since === undefined ? 0 : firstCreatedSince(ref, since, length),
    before === undefined ? Number.POSITIVE_INFINITY : firstCreatedSince(ref, before, length),
    after === undefined ? undefined : readPosition(ref, after),
  ]);
  return {
    newestFirst,
    start: newestFirst || behind === undefined ? first : Math.max(first, behind + 1),
    end: newestFirst && behind !== undefined ? Math.min(end, behind) : end,
  };
}

async function readPosition(ref: CollectionRef, id: string): Promise<number> {
  // A deleted record is accepted as well, because a reader may continue after a record that has been deleted since.
  if (!(await readById(ref, id)))
    throw invalidField(
      constant`after`,
      constant`must be the id of a record in this list; no ${ours(resourceName(ref))} has it`,
    );
  return positionOf(resources[ref.type].prefix, id) as number;
}

/**
 * Returns a page of the records with these ids, or with this external id, that fulfil the conditions. They are few, so all are read. The page
 * needs no set of the index, and is strongly consistent.
 */
async function pageOfNamed<R extends Stored>(
  ref: AccountCollection<R>,
  query: ListQuery,
  conditions: RecordConditions,
): Promise<Page<R>> {
  const [named, { start, end, newestFirst }] = await Promise.all([
    readNamed(ref, query),
    // Times of creation are checked on the records.
    extentOf(ref, query, {}, lengthOf(ref)),
  ]);
  const matching = named.filter((record) => {
    const position = positionOf(ref.collection.prefix, record.id) as number;
    return position >= start && position < end && matchesRecord(record, conditions);
  });
  return pageOf(matching, query, { newestFirst });
}

/** Reads the records with the ids or the external id of a query, oldest first. An id contains the position of its record, so each takes one read. */
async function readNamed<R extends Stored>(ref: AccountCollection<R>, query: ListQuery): Promise<R[]> {
  const ids = query.id;
  if (ids === undefined) {
    const found = await findByExternalId(ref, [query.external_id as string]);
    return [...found.values()].map(({ record }) => record);
  }
  const found = await readRecords(ref, positionsOf(ref.collection.prefix, ids));
  return found.filter(({ id }) => ids.includes(id));
}

/** Returns a page of what a filter matches in a part of a sequence. Each record of the page matches the filter as it is now. */
export async function filteredPage<R>(filter: Filter<R>, query: PageQuery, extent: Extent): Promise<Page<R>> {
  const found = await matchingPositions(filter, extent);
  return 'records' in found
    ? pageOf(found.records, query, extent)
    : readPage(filter, query, { positions: found.positions, extent });
}

/** Returns a page of records that were all read. @param records oldest first */
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
 * How often the rest of a page is read after some of its records no longer fulfil the query. An empty page is always continued, because a client
 * that pages would end with it.
 */
const completionsMax = 2;

/** Returns a page of the records at these positions. Records that no longer fulfil the query are left out and not counted. */
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
