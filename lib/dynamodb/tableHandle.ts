import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type env, required } from '../env.ts';
import { readMany } from './batch.ts';
import { dynamodb } from './client.ts';
import { type Changes, type Conditions, conditionOf, updateOf } from './expressions.ts';
import type { Action } from './transact.ts';

type Item = Record<string, unknown>;
type Key = Record<string, string>;

interface Options {
  /** What attributes must be. */
  if?: Conditions | undefined;
  /** Whether a refusal has the item. */
  showsItem?: true;
}

/** A table, and actions on its items, which a transaction commits with others, or `write` alone. */
export class TableHandle {
  private readonly variable: (typeof env)[keyof typeof env];

  /** @param variable of the environment, with the name of the table */
  constructor(variable: TableHandle['variable']) {
    this.variable = variable;
  }

  get name(): string {
    return required(this.variable);
  }

  put(item: object, options?: Options): Action {
    return { Put: { TableName: this.name, Item: { ...item }, ...expressionsOf(options) } };
  }

  update(key: Key, changes: Changes, options?: Options): Action {
    const change = updateOf(changes);
    const { UpdateExpression } = change;
    return {
      Update: { TableName: this.name, Key: key, UpdateExpression, ...expressionsOf(options, change) },
    };
  }

  delete(key: Key, options?: Options): Action {
    return { Delete: { TableName: this.name, Key: key, ...expressionsOf(options) } };
  }

  /** Lets a transaction commit only while attributes of an item are what they must be. */
  check(key: Key, conditions: Conditions): Action {
    const condition = expressionsOf({ if: conditions });
    return { ConditionCheck: { TableName: this.name, Key: key, ConditionExpression: '', ...condition } };
  }
}

// Reads are no methods: a bundle has only the commands that its function uses.

/** Strongly consistent. */
export async function readItem<Found = Item>({ name }: TableHandle, key: Key): Promise<Found | undefined> {
  const command = new GetCommand({ TableName: name, Key: key, ConsistentRead: true });
  return (await dynamodb().send(command)).Item as Found | undefined;
}

/** The items that exist under these keys, which are all different, in any order. Strongly consistent. */
export const readItems = async <Found = Item>(
  { name }: TableHandle,
  keys: readonly Key[],
): Promise<Found[]> => (await readMany(name, keys)) as Found[];

type Named = Pick<ReturnType<typeof updateOf>, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

function expressionsOf({ if: conditions, showsItem }: Options = {}, change?: Named) {
  const condition = conditions && conditionOf(conditions);
  const names = { ...change?.ExpressionAttributeNames, ...condition?.ExpressionAttributeNames };
  const values = { ...change?.ExpressionAttributeValues, ...condition?.ExpressionAttributeValues };
  return {
    ...(condition ? { ConditionExpression: condition.ConditionExpression } : {}),
    // DynamoDB refuses empty ones.
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    ...(showsItem ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } : {}),
  };
}
