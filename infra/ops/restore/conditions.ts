import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../lib/dynamodb/transact.ts';
import type { Item, Plan } from './restoration.ts';

/**
 * Writes an item, on the condition that the item that was read is still there unchanged, or that there is still none.
 */
export const putInPlaceOf = (
  TableName: string,
  read: Item | undefined,
  item: Item,
  compared: readonly string[] = [],
): Action => ({ Put: { TableName, Item: item, ...unchanged(read, compared) } });

/** The condition that an item is still as it was read, compared by some of its attributes. */
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

/** Plans an item that is written once and never changed, such as a kept answer: a living item stays. */
export function planUnlessThere(to: string, restored: Item, living: Item | undefined): Plan {
  if (living) return isDeepStrictEqual(living, restored) ? 'same' : 'kept';
  return { actions: [putInPlaceOf(to, undefined, restored)] };
}
