import type { Item } from '../dynamodb/item.ts';
import { readItem, readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { notFound } from '../errors/apiError.ts';
import type { Stored } from '../resources/collection.ts';
import { resources } from '../resources/index.ts';
import { isDeleted, mergedInto } from './deletion/tombstone.ts';
import { type State, toState } from './item.ts';
import { type AccountCollection, type CollectionRef, recordKey, resourceName } from './keys.ts';
import { positionOf, positionsOf } from './position.ts';
import { merged } from './refusals.ts';

/**
 * One record of an account by its id. It takes one strongly consistent read, because the id carries the position.
 * @throws ApiError 404 when the account has no record with this id, which is also the answer for another account's id
 */
export const getRecord = async <R extends Stored>(ref: AccountCollection<R>, id: string): Promise<R> =>
  (await getState(ref, id)).record;

export async function getState<R extends Stored>(ref: AccountCollection<R>, id: string): Promise<State<R>> {
  return toState(ref.collection, await getItem(ref, id));
}

/**
 * The item of the record, with attributes that `State` leaves out.
 * @throws ApiError 404. A key that may read the collection is told into which record a deleted one was merged
 */
export async function getItem(ref: CollectionRef, id: string): Promise<Item> {
  const item = await readById(ref, id);
  if (item && !isDeleted(item)) return item;
  const end = item && (await livingEnd(ref, item));
  throw end === undefined ? notFound(resourceName(ref), id) : merged(ref, { id, into: end.id as string });
}

/** The item with an id, which may be what is left of a deleted record; undefined when the account never had it. */
export async function readById(ref: CollectionRef, id: string): Promise<Item | undefined> {
  const position = positionOf(resources[ref.type].prefix, id);
  const item = position === undefined ? undefined : await readItem(records, recordKey(ref, position));
  return item?.id === id ? item : undefined;
}

/** The items at the positions of these ids, as `readById`, but without a look at the id. */
export const readByIds = (ref: CollectionRef, ids: readonly string[]): Promise<Item[]> =>
  readItems(
    records,
    positionsOf(resources[ref.type].prefix, ids).map((position) => recordKey(ref, position)),
  );

/** A chain of merges never forms a circle, because a record is merged into a living one. Only a damaged table has more. */
const mergesMax = 1000;

/** The record into which a deleted one was merged, at the end of all later merges; undefined when it is deleted, too. */
export async function livingEnd(ref: CollectionRef, deleted: Item): Promise<Item | undefined> {
  let item: Item | undefined = deleted;
  for (let i = 0; item && isDeleted(item) && i < mergesMax; i++) {
    const next = mergedInto(item);
    item = next === null ? undefined : await readById(ref, next);
  }
  return item && !isDeleted(item) ? item : undefined;
}
