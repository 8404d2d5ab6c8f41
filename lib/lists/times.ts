import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { is } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { index, records } from '../dynamodb/tables.ts';
import { writePut } from '../dynamodb/transact.ts';
import { readLiving } from '../records/deletion/living.ts';
import { type CollectionRef, recordKey } from '../records/keys.ts';
import { PositionSet } from '../records/sets/positionSet.ts';
import type { ListQuery } from './conditions.ts';
import { updated } from './entries.ts';
import { lateNote, lateTime } from './keys.ts';
import { readTimes } from './matching.ts';

/**
 * The first position of a record that was created at a time or later; the length of the collection when there is none. Records are
 * created in the order of their positions, so a range of times is a range of positions, whose ends are searched for: it needs no sets.
 * @param time RFC 3339 in UTC with milliseconds
 */
export async function firstCreatedSince(
  ref: CollectionRef,
  time: string,
  length: () => Promise<number>,
): Promise<number> {
  const wanted = Date.parse(time);
  const createdAt = (position: number) => createdAtOf(records.name, recordKey(ref, position));
  const count = await length();
  if (count === 0) return 0;
  const [startMs, endMs] = await Promise.all([createdAt(0), createdAt(count - 1)]);
  if (startMs >= wanted) return 0;
  // Usually nothing was created since.
  if (endMs < wanted) return count;
  return firstSince(wanted, { start: 1, startMs, end: count - 1, endMs }, createdAt);
}

/** Positions among which the first of a time or later is. All before `start` are earlier. */
interface TimeSpan {
  start: number;
  /** A lower bound, in epoch milliseconds: not later than the time at `start`, and earlier than the one that is looked for. */
  startMs: number;
  /** The first position that is known to be as late, or the end of all. */
  end: number;
  /** A time that is not earlier than that before `end`, and not earlier than the one that is looked for. */
  endMs: number;
}

/**
 * The first position of a time or later. Times must grow with positions. Every second step assumes a constant rate, which is nearly
 * right in an import. The first of the others looks near the end, where a reader who comes back looks, and the rest halve what is left:
 * of a million positions it reads 5 to 15 in most cases, and at most about 40.
 * @param wanted epoch milliseconds
 * @param timeAt reads the time at a position, in epoch milliseconds
 * @returns the `end` of the span when all positions in it are earlier
 */
export async function firstSince(
  wanted: number,
  span: TimeSpan,
  timeAt: (position: number) => Promise<number>,
): Promise<number> {
  let { start, startMs, end, endMs } = span;
  for (let step = 0; start < end; step++) {
    const rate = (wanted - startMs) / (endMs - startMs);
    const share = step % 2 === 0 ? rate : step === 1 ? 1 - 1 / Math.sqrt(end - start) : 0.5;
    const guess = start + Math.min(end - start - 1, Math.floor((end - start) * share));
    const ms = await timeAt(guess);
    if (ms < wanted) [start, startMs] = [guess + 1, ms];
    else [end, endMs] = [guess, ms];
  }
  return end;
}

/**
 * When the item at a position was created, in epoch milliseconds. It never changes, so any copy that has the item is right.
 * @param Key of an item that is counted
 */
export async function createdAtOf(TableName: string, Key: { pk: string; sk: string }): Promise<number> {
  const read = async (ConsistentRead: boolean) => {
    const { Item } = await dynamodb().send(
      new GetCommand({ TableName, Key, ProjectionExpression: 'created_at', ConsistentRead }),
    );
    return Item?.created_at as string | undefined;
  };
  // The count may be seen a moment before an item of the same transaction. Such an item was created now.
  const at = (await read(false)) ?? (await read(true));
  return at === undefined ? Date.now() : Date.parse(at);
}

/** The clock of another process may be ahead by less than this. */
const aheadMs = 24 * 3_600_000;

/** The positions of the records that were created or changed since a time, without those that are deleted. */
export async function readUpdated(ref: CollectionRef, since: string): Promise<PositionSet> {
  const before = new Date(Date.now() + aheadMs).toISOString();
  const reading = readLiving(ref);
  const length = async () => (await reading).count;
  const [changed, first, { count, deleted }] = await Promise.all([
    readTimes(ref, updated, { since, before }),
    firstCreatedSince(ref, since, length),
    reading,
  ]);
  return PositionSet.union([changed, PositionSet.range(first, count)]).without(deleted);
}

// A list by `updated_since` finds a change when the index has it, usually within a second. `next_updated_since` leaves a minute for that.
// A change that comes later is noted before it comes, and a reader who has passed it by is sent back. So nobody has to know how late
// the stream, the queue of deferred changes or a repair can be.

/** How long before a pass its `next_updated_since` is. A change that is not in the index so long after it was made is noted. */
const overlapMs = 60_000;

/**
 * The `updated_since` of the next pass, for a reader that misses no change. Only the first page has it: a value of a later page would pass
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
 * The first time before `since` whose changes came into the index late. A pass began a minute or more after the `since` that it gave. What
 * came into the index after the pass was noted after `since`.
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

/** Longer than readers are likely to wait between two polls. */
const keptMs = 400 * 24 * 3_600_000;

/**
 * A change that is older when it is about to come into the index is noted. The function that writes it has 30 seconds at most, and ten are
 * for the difference between clocks and for copies of the index that are behind: together they are `overlapMs`.
 */
const lateAfterMs = 20_000;

/**
 * Notes changes of a collection that come into the index late. It must be called before the index has them.
 * @param first the first time of the changes, RFC 3339
 */
export async function noteIfLate(ref: CollectionRef, first: string): Promise<void> {
  const now = Date.now();
  if (now - Date.parse(first) <= lateAfterMs) return;
  const ttl = Math.ceil((now + keptMs) / 1000);
  await writePut(index.put({ ...lateNote(ref, new Date(now).toISOString(), first), ttl }));
}
