import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, required } from '../env.ts';
import { type CollectionRef, recordKey } from '../records/keys.ts';
import { bucketOf } from './buckets.ts';
import { createdPartition } from './keys.ts';

/**
 * The first position of a record that was created at a time or later; the length of the collection when there is none. Records are
 * created in the order of their positions, so a search by halves finds it. The marks of hours show where it begins and ends.
 * @param time RFC 3339 in UTC with milliseconds
 * @param count the length of the collection
 */
export async function firstCreatedSince(ref: CollectionRef, time: string, count: number): Promise<number> {
  const isBefore = async (position: number) => (await createdAt(ref, position)) < time;
  let [start, end] = [0, count];
  const hour = bucketOf('hour', time);
  for (const { sk, first } of await readMarks(ref, hour, 'from')) {
    if (first >= end) break;
    if (sk === hour && (await isBefore(first))) start = first + 1;
    else {
      end = first;
      break;
    }
  }
  if (start === 0 && end > 0) {
    // Usually the mark that is the end is also the answer.
    if (await isBefore(end - 1)) return end;
    const [last] = await readMarks(ref, hour, 'before');
    start = last === undefined ? 0 : Math.min(end, last.first + 1);
  }
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    if (await isBefore(middle)) start = middle + 1;
    else end = middle;
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

/** When the record at a position was created. It never changes, so any copy that has the record is right. */
async function createdAt(ref: CollectionRef, position: number): Promise<string> {
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
  return (await read(false)) ?? (await read(true)) ?? new Date().toISOString();
}
