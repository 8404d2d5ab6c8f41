import type { CollectionRef } from '../../records/keys.ts';
import type { ListQuery } from '../conditions.ts';
import { lateFrom, overlapMs } from './late.ts';

/**
 * The `updated_since` of the next walk, for a reader that misses no change: a minute before this walk, or earlier when changes came into the
 * index late. Only the first page knows when its walk began; the links to the next ones carry what it said.
 * @param startedAt when the request began, before anything was read; epoch milliseconds
 * @returns null on a later page without that
 */
export async function nextUpdatedSince(
  ref: CollectionRef,
  { offset, after, updated_since, next_updated_since }: ListQuery,
  startedAt: number,
): Promise<string | null> {
  if (next_updated_since !== undefined) return next_updated_since;
  if (offset > 0 || after !== undefined) return null;
  const next = new Date(startedAt - overlapMs).toISOString();
  const late = updated_since === undefined ? undefined : await lateFrom(ref, updated_since);
  return late !== undefined && late < next ? late : next;
}
