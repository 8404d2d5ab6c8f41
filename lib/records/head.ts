import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, required } from '../env.ts';
import { CollectionMap } from './collectionMap.ts';
import { type CollectionRef, headKey } from './keys.ts';

/** What is known of a collection as a whole. */
export interface Head {
  /** Its length. */
  count: number;
  /** When its last records were created, RFC 3339 UTC: no record is created before it. */
  at: string | undefined;
}

/** The head of an item; of a collection without records when there is none. */
export const toHead = (item: Record<string, unknown> | undefined): Head => ({
  count: (item?.count as number | undefined) ?? 0,
  at: item?.at as string | undefined,
});

/** The head of a collection. Strongly consistent. */
export async function readHead(ref: CollectionRef): Promise<Head> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.recordsTable), Key: headKey(ref), ConsistentRead: true }),
  );
  return toHead(Item);
}

/** The length of a collection. Strongly consistent. */
export const readCount = async (ref: CollectionRef): Promise<number> => (await readHead(ref)).count;

/**
 * The heads of collections as this process last saw them. A head is a guess for the next create: if it is wrong, the
 * transaction's condition refuses the create.
 */
const remembered = new CollectionMap<Head>();

export const remember = (ref: CollectionRef, head: Head): void => remembered.set(ref, head);

export const forget = (ref: CollectionRef): void => remembered.delete(ref);

/** The head of a collection: remembered, or read. */
export async function guessHead(ref: CollectionRef): Promise<Head> {
  return remembered.get(ref) ?? (await readHead(ref));
}
