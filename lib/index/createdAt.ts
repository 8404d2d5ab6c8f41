import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, required } from '../env.ts';
import { type CollectionRef, recordKey } from '../records/keys.ts';
import { bucketOf } from './buckets.ts';
import { createdPartition } from './keys.ts';
import type { Length } from './length.ts';

/**
 * The first position of a record that was created at a time or later; the length of the collection when there is none. Records are
 * created in the order of their positions, so it is searched for. The marks of hours show where. Within an hour, every second step
 * assumes a constant rate, which is nearly right in an import, and the others halve what is left, so there are never many.
 * @param time RFC 3339 in UTC with milliseconds
 */
export async function firstCreatedSince(ref: CollectionRef, time: string, length: Length): Promise<number> {
  const wanted = Date.parse(time);
  const hour = bucketOf('hour', time);
  const [count, marks] = await Promise.all([length.read(), readMarks(ref, hour, 'from')]);
  let [start, end] = [0, count];
  let startMs: number | undefined;
  for (const { sk, first } of marks) {
    if (first >= end) break;
    const ms = sk === hour ? await createdAt(ref, first) : undefined;
    if (ms === undefined || ms >= wanted) {
      end = first;
      break;
    }
    [start, startMs] = [first + 1, ms];
  }
  if (start === end) return end;
  // Usually the record before is older: nothing was created since, or the mark is the answer.
  let endMs = await createdAt(ref, end - 1);
  if (endMs < wanted) return end;
  end -= 1;
  if (startMs === undefined) {
    const [last] = await readMarks(ref, hour, 'before');
    if (last) [start, startMs] = [Math.min(end, last.first + 1), Date.parse(`${last.sk}:00:00.000Z`)];
  }
  for (let step = 0; start < end; step++) {
    const share = step % 2 === 0 && startMs !== undefined ? (wanted - startMs) / (endMs - startMs) : 0.5;
    const guess = start + Math.min(end - start - 1, Math.floor((end - start) * share));
    const ms = await createdAt(ref, guess);
    if (ms < wanted) [start, startMs] = [guess + 1, ms];
    else [end, endMs] = [guess, ms];
  }
  return end;
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
      TableName: required(env.indexTable),
      KeyConditionExpression: `pk = :partition AND sk ${side === 'from' ? '>=' : '<'} :hour`,
      ExpressionAttributeValues: { ':partition': createdPartition(ref), ':hour': hour },
      ScanIndexForward: side === 'from',
      Limit: side === 'from' ? 2 : 1,
    }),
  );
  return Items as Mark[];
}

/** When the record at a position was created, in epoch milliseconds. It never changes, so any copy that has the record is right. */
async function createdAt(ref: CollectionRef, position: number): Promise<number> {
  const read = async (ConsistentRead: boolean) => {
    const { Item } = await dynamodb().send(
      new GetCommand({
        TableName: required(env.recordsTable),
        Key: recordKey(ref, position),
        ProjectionExpression: 'created_at',
        ConsistentRead,
      }),
    );
    return Item?.created_at as string | undefined;
  };
  // The head may be seen a moment before a record of the same transaction. Such a record was created now.
  const at = (await read(false)) ?? (await read(true));
  return at === undefined ? Date.now() : Date.parse(at);
}
