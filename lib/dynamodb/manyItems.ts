import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchesOf, fewAtOnce } from '../concurrency.ts';
import { dynamodb } from './client.ts';
import { BusyError, pause } from './conflicts.ts';
import { type Item, type Key, nameOf } from './item.ts';

/** A busy DynamoDB may leave a part of a batch undone. The call fails after this many attempts. */
const triesMax = 6;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
export const readsMax = 100;

/** Returns the items that exist under these keys, each once, in any order. Strongly consistent, unless the caller asks for half the price. */
export async function readMany(
  table: string,
  keys: readonly Key[],
  { consistent = true } = {},
): Promise<Item[]> {
  const distinct = new Map(keys.map((key) => [nameOf(key), key]));
  // Many more concurrent calls would wait for connections until they time out.
  const read = (batch: Key[]) => readBatch(table, batch, consistent);
  return (await fewAtOnce(batchesOf([...distinct.values()], readsMax), read)).flat();
}

async function readBatch(table: string, keys: readonly Key[], ConsistentRead: boolean): Promise<Item[]> {
  const items: Item[] = [];
  await untilDone(keys, async (rest) => {
    const { Responses, UnprocessedKeys } = await dynamodb().send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: rest, ConsistentRead } } }),
    );
    items.push(...(Responses?.[table] ?? []));
    return (UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
  });
  return items;
}

/**
 * Repeats a batch call until nothing of the batch is left.
 * @param call returns what a busy DynamoDB has left undone
 * @throws BusyError if it has left something undone too often
 */
export async function untilDone<T>(batch: readonly T[], call: (rest: T[]) => Promise<T[]>): Promise<void> {
  let rest = [...batch];
  for (let tries = 1; rest.length > 0; tries++) {
    if (tries > triesMax) throw new BusyError(`${rest.length} items of a batch were left undone`);
    if (tries > 1) await pause(20 * 2 ** tries);
    rest = await call(rest);
  }
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const writesMax = 25;

/** Deletes items that are no longer needed. @returns the keys of those that DynamoDB left undone */
export async function deleteMany(
  table: string,
  keys: readonly Key[],
  abortSignal: AbortSignal,
): Promise<Key[]> {
  const answers = await Promise.all(
    batchesOf(keys, writesMax).map((batch) =>
      dynamodb().send(
        new BatchWriteCommand({
          RequestItems: { [table]: batch.map((Key) => ({ DeleteRequest: { Key } })) },
        }),
        { abortSignal },
      ),
    ),
  );
  return answers.flatMap(({ UnprocessedItems }) =>
    (UnprocessedItems?.[table] ?? []).map(({ DeleteRequest }) => DeleteRequest?.Key as Key),
  );
}
