import type { Item } from '../dynamodb/item.ts';
import { readItem, readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { notFound } from '../errors/apiError.ts';
import type { Stored } from '../resources/collection.ts';
import { resources } from '../resources/index.ts';
import { positionOf, positionsOf } from './position.ts';
import { isDeleted, mergedInto, type State, toState } from './recordItem.ts';
import { type AccountCollection, type CollectionRef, recordKey, resourceName } from './recordKeys.ts';
import { notFoundMerged } from './refusals.ts';

/**
 * Returns one record of an account by its id, with one strongly consistent read, because the id contains the position.
 * @throws ApiError 404 if the account has no record with this id, and also for the id of another account's record
 */
export const getRecord = async <R extends Stored>(ref: AccountCollection<R>, id: string): Promise<R> =>
  (await getState(ref, id)).record;

export async function getState<R extends Stored>(ref: AccountCollection<R>, id: string): Promise<State<R>> {
  return toState(ref.collection, await getItem(ref, id));
}

/**
 * Returns the item of a record, including attributes that `State` leaves out.
 * @throws ApiError 404. If the record was merged, the error names the remaining record to keys that may read the collection
 */
export async function getItem(ref: CollectionRef, id: string): Promise<Item> {
  const item = await readById(ref, id);
  if (item && !isDeleted(item)) return item;
  const end = item && (await livingEnd(ref, item));
  throw end === undefined
    ? notFound(resourceName(ref), id)
    : notFoundMerged(ref, { id, into: end.id as string });
}

/** Reads the item with an id, which may be the tombstone of a deleted record. Returns undefined if the account never had it. */
export async function readById(ref: CollectionRef, id: string): Promise<Item | undefined> {
  const position = positionOf(resources[ref.type].prefix, id);
  const item = position === undefined ? undefined : await readItem(records, recordKey(ref, position));
  return item?.id === id ? item : undefined;
}

/** Reads the items with these ids, like `readById`. @returns the items by their ids */
export async function readByIds(ref: CollectionRef, ids: readonly string[]): Promise<Map<unknown, Item>> {
  const positions = positionsOf(resources[ref.type].prefix, ids);
  const items = await readItems(
    records,
    positions.map((position) => recordKey(ref, position)),
  );
  return new Map(items.map((item) => [item.id, item]));
}

/** The most merges to follow. A record is merged into a living one, so there are no cycles. Only a damaged table has more. */
const mergesMax = 1000;

/** Returns the record into which a deleted one was merged, at the end of all later merges; undefined if that one is also deleted. */
export async function livingEnd(ref: CollectionRef, deleted: Item): Promise<Item | undefined> {
  let item: Item | undefined = deleted;
  for (let i = 0; item && isDeleted(item) && i < mergesMax; i++) {
    const next = mergedInto(item);
    item = next === null ? undefined : await readById(ref, next);
  }
  return item && !isDeleted(item) ? item : undefined;
}
