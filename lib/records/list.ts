import type { PageQuery } from '../contract/values/lists.ts';
import { env, required } from '../env.ts';
import { log } from '../log.ts';
import type { Collection, Stored } from './collection.ts';
import { readCount } from './head.ts';
import { toRecord } from './item.ts';
import { lanePartition } from './keys.ts';
import { completeRange, readRange } from './range.ts';

export interface Page<R> {
  data: R[];
  pagination: { limit: number; offset: number; total: number };
}

/**
 * A page of a collection, oldest first: strongly consistent, one round trip at any offset, and `total` exact.
 *
 * The head and the records are read side by side, so creates may commit between these reads. Records beyond the head
 * are cut. Records that the head counts and the page lacks have been committed meanwhile, or are being so: they are read
 * again.
 */
export async function listRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  { limit, offset }: PageQuery,
): Promise<Page<R>> {
  const place = { account, type: collection.type };
  const positions = {
    table: required(env.recordsTable),
    partitionOf: (position: number) => lanePartition(place, position),
  };
  const [count, read] = await Promise.all([readCount(place), readRange(positions, offset, offset + limit)]);
  const promised = Math.max(0, Math.min(limit, count - offset));
  const found = await completeRange(positions, offset, offset + promised, read);
  const total = found.length < promised ? offset + found.length : count;
  if (total < count) log.warn('a collection counts records that are not there', { place, count, total });
  const data = found.map((item) => toRecord(collection, item));
  return { data, pagination: { limit, offset, total } };
}
