import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { PageQuery } from '../contract/lists.ts';
import { dynamodb } from '../dynamodb/client.ts';
import { pause } from '../dynamodb/conflicts.ts';
import { env, required } from '../env.ts';
import { log } from '../log.ts';
import type { Collection, Stored } from './collection.ts';
import { readCount } from './head.ts';
import { toRecord } from './item.ts';
import { lanePartition, type Place } from './keys.ts';
import { blockSize, positionKey, positionMax } from './position.ts';

export interface Page<R> {
  data: R[];
  pagination: { limit: number; offset: number; total: number };
}

type Item = Record<string, unknown>;

/** How often the rest of a page is read again, and about how long to wait before; it doubles with every time. */
const completionsMax = 4;
const completionPauseMs = 10;

/**
 * A page of a collection, oldest first: strongly consistent, one round trip at any offset, and `total` exact.
 *
 * The head and the records are read side by side, so creates may commit between these reads. Records beyond the head
 * are cut. Records that the head counts and the page lacks have been committed meanwhile, or are being so: a query may
 * see one part of a transaction before the other. So they are read again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 */
export async function listRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  { limit, offset }: PageQuery,
): Promise<Page<R>> {
  const place = { account, type: collection.type };
  const [count, read] = await Promise.all([readCount(place), readRange(place, offset, offset + limit)]);
  const promised = Math.max(0, Math.min(limit, count - offset));
  let found = gapless(read, offset);
  for (let i = 0; found.length < promised && i < completionsMax; i++) {
    if (i > 0) await pause(completionPauseMs * 2 ** i);
    const rest = await readRange(place, offset + found.length, offset + promised);
    found = gapless([...found, ...rest], offset);
  }
  const total = found.length < promised ? offset + found.length : count;
  if (total < count) log.warn('a collection counts records that are not there', { place, count, total });
  const data = found.slice(0, promised).map((item) => toRecord(collection, item));
  return { data, pagination: { limit, offset, total } };
}

/** The items up to the first missing position: of two queries the later one may have seen newer records. */
function gapless(items: Item[], offset: number): Item[] {
  const gap = items.findIndex((item, i) => item.sk !== positionKey(offset + i));
  return gap < 0 ? items : items.slice(0, gap);
}

/** The items at the positions from `start` to before `end`, in order: one query for each block that they touch. */
async function readRange(place: Place, start: number, end: number): Promise<Item[]> {
  const blocks: Promise<Item[]>[] = [];
  const last = Math.min(end, positionMax + 1);
  for (let from = start; from < last; ) {
    const to = Math.min(last, (Math.floor(from / blockSize) + 1) * blockSize);
    blocks.push(readBlock(lanePartition(place, from), positionKey(from), positionKey(to - 1)));
    from = to;
  }
  return (await Promise.all(blocks)).flat();
}

/** One query, continued when the records are so large that DynamoDB cuts its answer at 1 MB. */
async function readBlock(partition: string, first: string, last: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb().send(
      new QueryCommand({
        TableName: required(env.recordsTable),
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':partition': partition, ':first': first, ':last': last },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    items.push(...Items);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}
