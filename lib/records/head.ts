import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { env, required } from '../env.ts';
import { headKey, type Place } from './keys.ts';
import { PlaceMap } from './placeMap.ts';

/** The length of a collection. Strongly consistent. */
export async function readCount(place: Place): Promise<number> {
  const { Item } = await dynamodb().send(
    new GetCommand({ TableName: required(env.recordsTable), Key: headKey(place), ConsistentRead: true }),
  );
  return (Item?.count as number | undefined) ?? 0;
}

/**
 * The lengths of collections as this process last saw them. Only a first guess for the next create: a wrong one is
 * found out by the transaction's condition.
 */
const remembered = new PlaceMap<number>();

export const remember = (place: Place, count: number): void => remembered.set(place, count);

export const forget = (place: Place): void => remembered.delete(place);

/** The length of a collection: remembered, or read. */
export async function guessCount(place: Place): Promise<number> {
  return remembered.get(place) ?? (await readCount(place));
}
