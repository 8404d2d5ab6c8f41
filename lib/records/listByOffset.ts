import type { Item } from '../dynamodb/item.ts';
import { records } from '../dynamodb/tables.ts';
import { log } from '../logs/log.ts';
import type { Stored } from '../resources/collection.ts';
import type { PageQuery } from '../schemas/lists.ts';
import { readCounter } from './counter.ts';
import { hasDeletions, readLiving } from './deletion/deletedSet.ts';
import { completeRange, type Positions, readRange, readSome } from './positionRange.ts';
import { isDeleted, toRecord } from './recordItem.ts';
import { type AccountCollection, type CollectionRef, recordPartition } from './recordKeys.ts';
import { PositionSet } from './sets/positionSet.ts';

export interface Page<R> {
  data: R[];
  pagination: { limit: number; offset: number; total: number };
}

export interface Extent {
  start: number;
  /** The position after the last one; Infinity for the end of the collection. */
  end: number;
  newestFirst: boolean;
}

const wholeCollection: Extent = { start: 0, end: Number.POSITIVE_INFINITY, newestFirst: false };

/**
 * Returns a page of a collection. The page is strongly consistent, costs the same at any offset, and its `total` is exact. If no record of the
 * collection is deleted, the page's positions follow from the count alone.
 */
export async function listRecords<R extends Stored>(
  ref: AccountCollection<R>,
  query: Pick<PageQuery, 'limit' | 'offset'>,
  extent = wholeCollection,
): Promise<Page<R>> {
  const { collection } = ref;
  const read = extent.newestFirst ? readFromEnd : readFromStart;
  const { items, total } =
    (hasDeletions(ref) ? undefined : await read(ref, query, extent)) ??
    (await readAmongDeleted(ref, query, extent));
  const { limit, offset } = query;
  return { data: items.map((item) => toRecord(collection, item)), pagination: { limit, offset, total } };
}

/** The items of a page, in its order, and the total. */
interface ItemsOfPage {
  items: Item[];
  total: number;
}

type Read = (
  ref: CollectionRef,
  query: Pick<PageQuery, 'limit' | 'offset'>,
  extent: Extent,
) => Promise<ItemsOfPage | undefined>;

export const recordsOf = (ref: CollectionRef): Positions => ({
  table: records.name,
  partitionOf: (position) => recordPartition(ref, position),
});

/**
 * Reads a page in one round trip. It reads the counter and the records in parallel, so creates may commit between these reads. It leaves out
 * records beyond the counter. If it counts records that the page lacks, they were committed between the reads, so it reads them again.
 * @returns undefined if records of the collection are deleted
 */
const readFromStart: Read = async (ref, { limit, offset }, { start, end }) => {
  const positions = recordsOf(ref);
  const from = start + offset;
  const [{ count, hasDeleted }, read] = await Promise.all([
    readCounter(ref),
    readRange(positions, from, Math.min(end, from + limit)),
  ]);
  if (hasDeleted) return undefined;
  const length = Math.max(0, Math.min(count, end) - start);
  const expected = Math.max(0, Math.min(limit, length - offset));
  const items = await completeRange(positions, from, from + expected, read);
  if (items.some(isDeleted)) return undefined;
  const total = items.length < expected ? offset + items.length : length;
  if (total < length)
    log.warn('a collection counts records that are not there', {
      account: ref.account,
      type: ref.type,
      count,
      total,
    });
  return { items, total };
};

/** Reads a page from the end, after the counter. @returns undefined if records of the collection are deleted */
const readFromEnd: Read = async (ref, { limit, offset }, { start, end }) => {
  const { count, hasDeleted } = await readCounter(ref);
  if (hasDeleted) return undefined;
  const last = Math.max(start, Math.min(count, end));
  const to = Math.max(start, last - offset);
  const from = Math.max(start, to - limit);
  const items = await completeRange(recordsOf(ref), from, to);
  return items.some(isDeleted) ? undefined : { items: items.reverse(), total: last - start };
};

/** How often a page is read again if its records are deleted during the read. After that, they are left out of the page and its total. */
const againMax = 2;

/** Reads a page of a collection with deleted positions. The set of these positions determines the page's positions. */
async function readAmongDeleted(
  ref: CollectionRef,
  { limit, offset }: Pick<PageQuery, 'limit' | 'offset'>,
  { start, end, newestFirst }: Extent,
): Promise<ItemsOfPage> {
  for (let again = 0; ; again++) {
    const { count, deleted } = await readLiving(ref);
    const living = PositionSet.range(start, Math.min(count, end)).without(deleted);
    const selected = living.select(offset, limit, newestFirst);
    const read = await readSome(recordsOf(ref), selected, { areThere: true });
    const items = read.filter((item) => !isDeleted(item));
    const total = living.size - (selected.length - items.length);
    if (items.length === selected.length) return { items, total };
    if (read.length === selected.length && again < againMax) continue;
    log.warn('a page lacks records', { account: ref.account, type: ref.type, count, total });
    return { items, total };
  }
}
