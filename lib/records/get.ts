import { readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { notFound } from '../errors/apiError.ts';
import type { Collection, Stored } from '../resources/collection.ts';
import { type State, toState } from './item.ts';
import { recordKey, sourceKey } from './keys.ts';
import { positionOf } from './position.ts';
import { resourceName } from './refusals.ts';

/**
 * One record of an account by its id. It takes one strongly consistent read, because the id carries the position.
 * @throws ApiError 404 when the account has no record with this id, which is also the answer for another account's id
 */
export const getRecord = async <R extends Stored>(
  collection: Collection<R>,
  account: string,
  id: string,
): Promise<R> => (await getState(collection, account, id)).record;

/** The record with its state, which answers do not show. */
export async function getState<R extends Stored>(
  collection: Collection<R>,
  account: string,
  id: string,
): Promise<State<R>> {
  return toState(collection, await getItem(collection, account, id));
}

/** The item of the record, with attributes that `State` leaves out. */
export async function getItem(
  collection: Pick<Collection<Stored>, 'type' | 'prefix'>,
  account: string,
  id: string,
): Promise<Record<string, unknown>> {
  const position = positionOf(collection.prefix, id);
  const ref = { account, type: collection.type };
  const item = position === undefined ? undefined : await readItem(records, recordKey(ref, position));
  if (item?.id !== id) throw notFound(resourceName(collection), id);
  return item;
}

/** The id of the record that the product calls so, also when it was erased; undefined when there is none. */
export const idOfSource = async (
  { type }: Pick<Collection<Stored>, 'type'>,
  account: string,
  sourceId: string,
): Promise<string | undefined> =>
  (await readItem<{ id: string }>(records, sourceKey({ account, type }, sourceId)))?.id;
