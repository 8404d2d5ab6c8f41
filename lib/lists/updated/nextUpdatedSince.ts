import { is } from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { index } from '../../dynamodb/tables.ts';
import type { CollectionRef } from '../../records/keys.ts';
import type { ListQuery } from '../conditions.ts';
import { lateNote, lateTime } from '../keys.ts';

// A list by `updated_since` finds a change when the index has it, usually within a second. `next_updated_since` leaves a minute for that.
// A change that comes later is noted before it comes, and a reader who has passed it by is sent back. So nobody has to know how late
// the stream, the queue of deferred items or a repair can be.

/** How long before a walk its `next_updated_since` is. A change that is not in the index so long after it was made is noted. */
const overlapMs = 60_000;

/**
 * The `updated_since` of the next walk, for a reader that misses no change. Only the first page has it: a value of a later page would pass
 * by the changes that were made meanwhile on pages before it.
 * @param startedAt when the request began, before anything was read; epoch milliseconds
 */
export async function nextUpdatedSince(
  ref: CollectionRef,
  { offset, after, updated_since }: ListQuery,
  startedAt: number,
): Promise<string | null> {
  if (offset > 0 || after !== undefined) return null;
  const next = new Date(startedAt - overlapMs).toISOString();
  const late = updated_since === undefined ? undefined : await lateFrom(ref, updated_since);
  return late !== undefined && late < next ? late : next;
}

/**
 * The first time before `since` whose changes came into the index late. A walk began a minute or more after the `since` that it gave. What
 * came into the index after the walk was noted after `since`.
 * @returns undefined when there are no such changes
 */
async function lateFrom(ref: CollectionRef, since: string): Promise<string | undefined> {
  const { pk, sk } = lateNote(ref, since, '');
  const notes = await queryAll({ ...index.where({ pk, sk: is('>=', sk) }), ConsistentRead: true });
  return notes
    .map((note) => lateTime(note as { sk: string }))
    .filter((from) => from < since)
    .sort()[0];
}
