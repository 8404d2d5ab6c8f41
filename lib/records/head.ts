import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, required } from '../env.ts';
import { CollectionMap } from './collectionMap.ts';
import { type CollectionRef, headKey } from './keys.ts';

/** The length of a collection. Strongly consistent. */
export async function readCount(ref: CollectionRef): Promise<number> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.recordsTable), Key: headKey(ref), ConsistentRead: true }),
  );
  return (Item?.count as number | undefined) ?? 0;
}

/**
 * The lengths of collections as this process last saw them. A length is a guess for the next create: if it is wrong, the
 * transaction's condition refuses the create.
 */
const remembered = new CollectionMap<number>();

export const remember = (ref: CollectionRef, count: number): void => remembered.set(ref, count);

export const forget = (ref: CollectionRef): void => remembered.delete(ref);

/** The length of a collection: remembered, or read. */
export async function guessCount(ref: CollectionRef): Promise<number> {
  return remembered.get(ref) ?? (await readCount(ref));
}
