import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import type { Item, Plan } from './restoration.ts';

/** Writes an item in the place of one that was read, if that is still there, or nothing if there was nothing. */
export const putInPlaceOf = (
  TableName: string,
  read: Item | undefined,
  item: Item,
  compared: readonly string[] = [],
): Action => ({ Put: { TableName, Item: item, ...unchanged(read, compared) } });

/** A condition that an item is still as it was read, judged by some of its attributes. */
export function unchanged(read: Item | undefined, compared: readonly string[]) {
  if (read === undefined) return { ConditionExpression: 'attribute_not_exists(pk)' };
  const present = compared.filter((name) => read[name] !== undefined);
  return {
    ConditionExpression: [
      'attribute_exists(pk)',
      ...compared.map((name) =>
        read[name] === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
      ),
    ].join(' AND '),
    ...(compared.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(compared.map((name) => [`#${name}`, name])),
    }),
    ...(present.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(present.map((name) => [`:${name}`, read[name]])),
    }),
  };
}

export const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What is written once and never changed, as the answers to requests that may be repeated: what is here counts. */
export function planUnlessThere(to: string, restored: Item, living: Item | undefined): Plan {
  if (living) return isDeepStrictEqual(living, restored) ? 'same' : 'kept';
  return { actions: [putInPlaceOf(to, undefined, restored)] };
}
