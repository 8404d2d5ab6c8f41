import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { is } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { index, records } from '../dynamodb/tables.ts';
import { writePut } from '../dynamodb/transact.ts';
import { readLiving } from '../records/deletion/deletedSet.ts';
import { type CollectionRef, recordKey } from '../records/recordKeys.ts';
import { PositionSet } from '../records/sets/positionSet.ts';
import type { ListQuery } from './conditions.ts';
import { updated } from './indexEntries.ts';
import type { ItemKey } from './indexKeys.ts';
import { readTimes } from './matching.ts';

/**
 * Returns the first position of a record that was created at a time or later; the length of the collection if there is none. Positions follow
 * the order of creation, so a range of times is a range of positions. A search finds both ends, and no sets are needed.
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
  if (endMs < wanted) return count;
  return firstSince(wanted, { start: 1, startMs, end: count - 1, endMs }, createdAt);
}

/** A range of positions that contains the first one of a given time or later. All positions before `start` are earlier. */
interface TimeSpan {
  start: number;
  /** A lower bound, in epoch milliseconds: not later than the time at `start`, and earlier than the wanted time. */
  startMs: number;
  /** The first position known to be late enough, or the end of all positions. */
  end: number;
  /** An upper bound: not earlier than the time just before `end`, and not earlier than the wanted time. */
  endMs: number;
}

/**
 * Returns the first position of a time or later. Times must grow with positions. Every second step assumes a constant rate, which is nearly
 * right after an import. The first of the other steps looks near the end, where returning readers usually look, and the rest halve the range.
 * Of a million positions, the search reads 5 to 15 in most cases, and at most about 40.
 * @param wanted epoch milliseconds
 * @param timeAt reads the time at a position, in epoch milliseconds
 * @returns the `end` of the span if all positions in it are earlier
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
 * Returns when the item at a position was created, in epoch milliseconds. This never changes, so any copy of the item is correct.
 * @param Key of an item that is counted
 */
export async function createdAtOf(TableName: string, Key: { pk: string; sk: string }): Promise<number> {
  const read = async (ConsistentRead: boolean) => {
    const { Item } = await dynamodb().send(
      new GetCommand({ TableName, Key, ProjectionExpression: 'created_at', ConsistentRead }),
    );
    return Item?.created_at as string | undefined;
  };
  // A reader may see the count a moment before an item of the same transaction. Such an item was created just now.
  const at = (await read(false)) ?? (await read(true));
  return at === undefined ? Date.now() : Date.parse(at);
}

/** The most that the clock of another process may be ahead. A range needs an end, because it is read hour by hour. */
const aheadMs = 24 * 3_600_000;

/** Returns the positions of the records that were created or changed since a time, without deleted ones. */
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

// A list by `updated_since` finds a change when the index contains it, usually within a second. `next_updated_since` allows a minute for that.
// A change that arrives later is noted first, and a reader who has already passed its time is sent back. So nobody needs to know how late the
// stream, the queue of deferred changes or a repair can be.

/**
 * Returns the key of a note: changes since the minute of `from` arrived in the index late, in the minute of `at`. Both are RFC 3339 in UTC.
 * Minutes keep the number of notes small.
 */
const lateNote = (ref: CollectionRef, at: string, from: string): ItemKey => ({
  pk: `${ref.account}#${ref.type}#late`,
  sk: `${minuteOf(at)}#${minuteOf(from)}`,
});

const minuteOf = (time: string): string => time.slice(0, 'YYYY-MM-DDTHH:MM'.length);

/** Returns the time, to the minute, from which changes reached the index late, as a note's key records it. */
const lateTime = ({ sk }: Pick<ItemKey, 'sk'>): string => `${sk.split('#')[1]}:00.000Z`;

/** How far `next_updated_since` lies before its pass. If a change takes longer to reach the index, it is noted. */
const overlapMs = 60_000;

/**
 * Returns the `updated_since` of the next pass, for a reader that must miss no change. Only the first page returns it, because a value of a
 * later page would miss changes made in the meantime on pages before it.
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
 * Returns the first time before `since` whose changes arrived in the index late. A pass began at least a minute after the `since` that it
 * returned, so changes that arrived after the pass were noted after `since`.
 * @returns undefined if there are no such changes
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
 * The age from which a change is noted before it enters the index. The function that writes it has at most 30 seconds, and ten more allow for
 * clock differences and for copies of the index that lag behind. Together, these make `overlapMs`.
 */
const lateAfterMs = 20_000;

/**
 * Notes changes of a collection that arrive in the index late. Call it before the index contains them.
 * @param first the first time of the changes, RFC 3339
 */
export async function noteIfLate(ref: CollectionRef, first: string): Promise<void> {
  const now = Date.now();
  if (now - Date.parse(first) <= lateAfterMs) return;
  const ttl = Math.ceil((now + keptMs) / 1000);
  await writePut(index.put({ ...lateNote(ref, new Date(now).toISOString(), first), ttl }));
}
