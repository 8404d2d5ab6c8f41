import { records } from '../dynamodb/tables.ts';
import { log } from '../logs/log.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import type { PageQuery } from '../values/lists.ts';
import { readCount } from './head.ts';
import { toRecord } from './item.ts';
import { type CollectionRef, recordPartition } from './keys.ts';
import { completeRange, type Positions, readRange } from './range.ts';

export interface Page<R> {
  data: R[];
  pagination: { limit: number; offset: number; total: number };
}

/** A part of a collection, and the order of its page. */
export interface Extent {
  /** The first position. */
  start: number;
  /** The position behind the last one; Infinity for the end of the collection. */
  end: number;
  newestFirst: boolean;
}

const wholeCollection: Extent = { start: 0, end: Number.POSITIVE_INFINITY, newestFirst: false };

/** A page of a collection. It is strongly consistent, costs the same at any offset, and `total` is exact. */
export function listRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  query: Pick<PageQuery, 'limit' | 'offset'>,
  extent = wholeCollection,
): Promise<Page<R>> {
  const list = extent.newestFirst ? listFromEnd : listFromStart;
  return list(collection, { account, type: collection.type }, query, extent);
}

/** The records of a collection by their positions. */
export const recordsOf = (ref: CollectionRef): Positions => ({
  table: records.name,
  partitionOf: (position) => recordPartition(ref, position),
});

/**
 * It takes one round trip. The head and the records are read in parallel, so creates may commit between these reads. Records
 * beyond the head are left out. Records that the head counts and the page lacks were committed between the reads: they are read
 * again.
 */
async function listFromStart<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  { limit, offset }: Pick<PageQuery, 'limit' | 'offset'>,
  { start, end }: Extent,
): Promise<Page<R>> {
  const positions = recordsOf(ref);
  const from = start + offset;
  const [count, read] = await Promise.all([
    readCount(ref),
    readRange(positions, from, Math.min(end, from + limit)),
  ]);
  const length = Math.max(0, Math.min(count, end) - start);
  const expected = Math.max(0, Math.min(limit, length - offset));
  const found = await completeRange(positions, from, from + expected, read);
  const total = found.length < expected ? offset + found.length : length;
  if (total < length)
    log.warn('a collection counts records that are not there', { collection: ref, count, total });
  const data = found.map((item) => toRecord(collection, item));
  return { data, pagination: { limit, offset, total } };
}

/** It takes two round trips, because the head says where the page is. */
async function listFromEnd<R extends Stored>(
  collection: Collection<R>,
  ref: CollectionRef,
  { limit, offset }: Pick<PageQuery, 'limit' | 'offset'>,
  { start, end }: Extent,
): Promise<Page<R>> {
  const positions = recordsOf(ref);
  const last = Math.max(start, Math.min(await readCount(ref), end));
  const to = Math.max(start, last - offset);
  const from = Math.max(start, to - limit);
  const found = await completeRange(positions, from, to, await readRange(positions, from, to));
  const data = found.map((item) => toRecord(collection, item)).reverse();
  return { data, pagination: { limit, offset, total: last - start } };
}
