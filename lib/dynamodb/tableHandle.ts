import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type env, required } from '../env.ts';
import { dynamodb } from './client.ts';
import { type Changes, type Conditions, conditionOf, updateExpressionOf } from './expressions.ts';
import { type Item, type Key, nameOf } from './item.ts';
import { readMany } from './manyItems.ts';
import type { Action, ActionOf } from './transact.ts';

interface Options {
  if?: Conditions | undefined;
  showsItem?: true;
}

/** A table, and actions on its items. Commit an action in a transaction with others, or alone with `write`. */
export class TableHandle {
  private readonly variable: (typeof env)[keyof typeof env];

  /** @param variable the environment variable with the name of the table */
  constructor(variable: TableHandle['variable']) {
    this.variable = variable;
  }

  get name(): string {
    return required(this.variable);
  }

  put(item: object, options?: Options): ActionOf<'Put'> {
    return { Put: { TableName: this.name, Item: { ...item }, ...expressionsOf(options) } };
  }

  update(key: Key, changes: Changes, options?: Options): ActionOf<'Update'> {
    const change = updateExpressionOf(changes);
    const { UpdateExpression } = change;
    return {
      Update: { TableName: this.name, Key: key, UpdateExpression, ...expressionsOf(options, change) },
    };
  }

  delete(key: Key, options?: Options): ActionOf<'Delete'> {
    return { Delete: { TableName: this.name, Key: key, ...expressionsOf(options) } };
  }

  /** Returns an action that lets a transaction commit only while an item's attributes fulfil conditions. */
  check(key: Key, conditions: Conditions): Action {
    const condition = expressionsOf({ if: conditions });
    return { ConditionCheck: { TableName: this.name, Key: key, ConditionExpression: '', ...condition } };
  }

  /**
   * Returns the input of a query.
   * @param keys conditions on the key attributes, in the table or in an index; undefined for any value
   * @param filter conditions on other attributes
   */
  where(keys: Conditions, filter?: Conditions) {
    const given = Object.entries(keys).filter(([, value]) => value !== undefined);
    const ofKeys = conditionOf(Object.fromEntries(given));
    const ofFilter = filter && conditionOf(filter);
    return {
      TableName: this.name,
      KeyConditionExpression: ofKeys.ConditionExpression,
      FilterExpression: ofFilter?.ConditionExpression,
      ...named(ofKeys, ofFilter),
    };
  }
}

// Reads are functions and not methods, so that a bundle contains only the commands that it uses.

/** Reads one item. Strongly consistent, unless the caller asks for half the price. */
export async function readItem<Found = Item>(
  { name }: TableHandle,
  key: Key,
  { consistent = true } = {},
): Promise<Found | undefined> {
  const command = new GetCommand({ TableName: name, Key: key, ConsistentRead: consistent });
  return (await dynamodb().send(command)).Item as Found | undefined;
}

/** Returns the items that exist under these keys, each once, in any order. As consistent as `readItem`. */
export const readItems = async <Found = Item>(
  { name }: TableHandle,
  keys: readonly Key[],
  options?: { consistent: boolean },
): Promise<Found[]> => (await readMany(name, keys, options)) as Found[];

/** Like `readItems`, but returns a function that finds an item by its key. */
export async function readByKey<Found = Item>(
  table: TableHandle,
  keys: readonly Key[],
  options?: { consistent: boolean },
): Promise<(key: Key) => Found | undefined> {
  const items = await readItems<Found & Item>(table, keys, options);
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  return (key) => byName.get(nameOf(key));
}

type Named = Pick<
  ReturnType<typeof updateExpressionOf>,
  'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Merges the names and values of expressions. DynamoDB refuses empty ones. */
function named(...parts: (Named | undefined)[]) {
  const names = Object.assign({}, ...parts.map((part) => part?.ExpressionAttributeNames));
  const values = Object.assign({}, ...parts.map((part) => part?.ExpressionAttributeValues));
  return {
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  } as Partial<Named>;
}

function expressionsOf({ if: conditions, showsItem }: Options = {}, change?: Named) {
  const condition = conditions && conditionOf(conditions);
  return {
    ...(condition ? { ConditionExpression: condition.ConditionExpression } : {}),
    ...named(change, condition),
    ...(showsItem ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {}),
  };
}
