import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb.ts';
import { env, required } from '../env.ts';
import { pause } from './conflicts.ts';

export interface ItemKey {
  pk: string;
  sk: string;
}

type Item = Record<string, unknown>;
type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: ItemKey } };

/** DynamoDB may leave a part of a batch undone when it is busy; then the rest is tried again, ever more slowly. */
const pauseBefore = (tries: number): Promise<void> => pause(Math.min(1000, 20 * 2 ** tries));

/** So often nothing at all gets through only when the table is out of order. */
const triesMax = 10;

/** The items there are under at most 100 keys, in any order. Strongly consistent. */
export async function readMany(keys: readonly ItemKey[]): Promise<Item[]> {
  const table = required(env.recordsTable);
  const items: Item[] = [];
  let rest = [...keys];
  for (let tries = 1; rest.length > 0; tries++) {
    const { Responses, UnprocessedKeys } = await dynamodb().send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: rest, ConsistentRead: true } } }),
    );
    items.push(...(Responses?.[table] ?? []));
    rest = (UnprocessedKeys?.[table]?.Keys ?? []) as ItemKey[];
    if (rest.length > 0) await giveUpOrPause(tries);
  }
  return items;
}

/** Writes at most 25 items, each for itself: a reader may see some before the others. */
export async function writeMany(requests: readonly WriteRequest[]): Promise<void> {
  const table = required(env.recordsTable);
  let rest: WriteRequest[] = [...requests];
  for (let tries = 1; rest.length > 0; tries++) {
    const { UnprocessedItems } = await dynamodb().send(
      new BatchWriteCommand({ RequestItems: { [table]: rest } }),
    );
    rest = (UnprocessedItems?.[table] ?? []) as WriteRequest[];
    if (rest.length > 0) await giveUpOrPause(tries);
  }
}

async function giveUpOrPause(tries: number): Promise<void> {
  if (tries === triesMax) throw new Error('The database does not get on with a batch');
  await pauseBefore(tries);
}
