import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { is } from '../../dynamodb/expressions.ts';
import { index, records } from '../../dynamodb/tables.ts';
import { type CollectionRef, recordKey } from '../../records/keys.ts';
import { bucketOf } from '../buckets.ts';
import { createdPartition } from '../keys.ts';
import type { Length } from '../length.ts';
import { createdAtOf, firstSince } from './timeSearch.ts';

/**
 * The first position of a record that was created at a time or later; the length of the collection when there is none. Records are
 * created in the order of their positions, so it is searched for. The marks of hours show where.
 * @param time RFC 3339 in UTC with milliseconds
 */
export async function firstCreatedSince(ref: CollectionRef, time: string, length: Length): Promise<number> {
  const wanted = Date.parse(time);
  const createdAt = (position: number) => createdAtOf(records.name, recordKey(ref, position));
  const hour = bucketOf('hour', time);
  const [count, marks] = await Promise.all([length.read(), readMarks(ref, hour, 'from')]);
  let [start, end] = [0, count];
  let startMs: number | undefined;
  for (const { sk, first } of marks) {
    if (first >= end) break;
    const ms = sk === hour ? await createdAt(first) : undefined;
    if (ms === undefined || ms >= wanted) {
      end = first;
      break;
    }
    [start, startMs] = [first + 1, ms];
  }
  if (start === end) return end;
  // Usually the record before is older: nothing was created since, or the mark is the answer.
  const endMs = await createdAt(end - 1);
  if (endMs < wanted) return end;
  end -= 1;
  if (startMs === undefined) {
    const [last] = await readMarks(ref, hour, 'before');
    if (last) [start, startMs] = [Math.min(end, last.first + 1), Date.parse(`${last.sk}:00:00.000Z`)];
  }
  return firstSince(wanted, { start, startMs, end, endMs }, createdAt);
}

/** The first position that is known of an hour. Others of the hour may be before it, when the index is behind. */
interface Mark {
  sk: string;
  first: number;
}

/** The marks of an hour and of the next one that has a mark; or the last mark before the hour. */
async function readMarks(ref: CollectionRef, hour: string, side: 'from' | 'before'): Promise<Mark[]> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      ...index.where({ pk: createdPartition(ref), sk: is(side === 'from' ? '>=' : '<', hour) }),
      ScanIndexForward: side === 'from',
      Limit: side === 'from' ? 2 : 1,
    }),
  );
  return Items as Mark[];
}
