import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb.ts';
import { env, required } from '../env.ts';
import { notFound } from '../errors.ts';
import { type Collection, resourceName, type Stored } from './collection.ts';
import { toRecord } from './item.ts';
import { type Place, recordKey } from './keys.ts';
import { positionOf } from './position.ts';

/**
 * One record of an account by its id: one strongly consistent read, as the id carries the position.
 * @throws ApiError 404 when the account has no record with this id, which is also the answer for another account's id
 */
export async function getRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  id: string,
): Promise<R> {
  const position = positionOf(collection.prefix, id);
  const item =
    position === undefined ? undefined : await readItem({ account, type: collection.type }, position);
  if (item?.id !== id) throw notFound(resourceName(collection), id);
  return toRecord(collection, item);
}

async function readItem(place: Place, position: number) {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.recordsTable),
      Key: recordKey(place, position),
      ConsistentRead: true,
    }),
  );
  return Item;
}
