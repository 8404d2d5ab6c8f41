import type { PageQuery } from '../contract/values/lists.ts';
import { env, required } from '../env.ts';
import { log } from '../log.ts';
import type { Collection, Stored } from './collection.ts';
import { readCount } from './head.ts';
import { toRecord } from './item.ts';
import { recordPartition } from './keys.ts';
import { completeRange, readRange } from './range.ts';

export interface Page<R> {
  data: R[];
  pagination: { limit: number; offset: number; total: number };
}

/**
 * A page of a collection, oldest first. It is strongly consistent, takes one round trip at any offset, and `total` is exact.
 *
 * The head and the records are read in parallel, so creates may commit between these reads. Records beyond the head are
 * left out. Records that the head counts and the page lacks were committed between the reads: they are read again.
 */
export async function listRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  { limit, offset }: PageQuery,
): Promise<Page<R>> {
  const ref = { account, type: collection.type };
  const positions = {
    table: required(env.recordsTable),
    partitionOf: (position: number) => recordPartition(ref, position),
  };
  const [count, read] = await Promise.all([readCount(ref), readRange(positions, offset, offset + limit)]);
  const expected = Math.max(0, Math.min(limit, count - offset));
  const found = await completeRange(positions, offset, offset + expected, read);
  const total = found.length < expected ? offset + found.length : count;
  if (total < count)
    log.warn('a collection counts records that are not there', { collection: ref, count, total });
  const data = found.map((item) => toRecord(collection, item));
  return { data, pagination: { limit, offset, total } };
}
