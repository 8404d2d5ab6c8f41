import { marshall } from '@aws-sdk/util-dynamodb';
import { holds, type Item, updated } from './expressions.ts';

/** A write as lib sends it, alone or in a transaction. */
export interface Write {
  TableName: string;
  Key?: Item;
  Item?: Item;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
  /** Every comparison of these attributes in its condition holds. */
  ignored?: ReadonlySet<string>;
}

export interface Action {
  kind: string;
  write: Write;
  key: Item;
}

export interface QueryInput {
  TableName: string;
  KeyConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues: Item;
  FilterExpression?: string;
  Limit?: number;
  ExclusiveStartKey?: Item;
}

/** The actions of a transaction. */
export const actionsOf = (parts: readonly Record<string, Write>[]): Action[] =>
  parts.map((part) => {
    const [[kind, write]] = Object.entries(part) as [[string, Write]];
    return actionOf(kind, write);
  });

export const actionOf = (kind: string, write: Write): Action => ({
  kind,
  write,
  key: write.Key ?? { pk: write.Item?.pk, sk: write.Item?.sk },
});

/** Why a condition refused a write, as DynamoDB says it. */
export const refusal = (
  { ReturnValuesOnConditionCheckFailure: wanted }: Write,
  item: Item | undefined,
): { Code: string; Item?: Record<string, never> } => ({
  Code: 'ConditionalCheckFailed',
  ...(wanted && item ? { Item: marshall(item, { removeUndefinedValues: true }) as never } : {}),
});

/** The items of tables of DynamoDB in memory. An item is never changed: a write puts another one in its place. */
export class Tables {
  private readonly partitions: Map<string, Map<string, Item>>;

  constructor(partitions = new Map<string, Map<string, Item>>()) {
    this.partitions = partitions;
  }

  copy(): Tables {
    return new Tables(new Map([...this.partitions].map(([name, partition]) => [name, new Map(partition)])));
  }

  items(table: string): Item[] {
    return [...this.partitions].flatMap(([name, partition]) =>
      name.startsWith(`${table} `) ? [...partition.values()] : [],
    );
  }

  /** Each item with a name of its own. */
  *entries(): Generator<[name: string, item: Item]> {
    for (const [name, partition] of this.partitions)
      for (const [sk, item] of partition) yield [`${name} ${sk}`, item];
  }

  get(table: string, { pk, sk = '' }: Item): Item | undefined {
    return this.partitions.get(`${table} ${pk}`)?.get(String(sk));
  }

  set(table: string, { pk, sk = '' }: Item, item: Item | undefined): void {
    const name = `${table} ${pk}`;
    const partition = this.partitions.get(name) ?? new Map<string, Item>();
    this.partitions.set(name, partition);
    if (item) partition.set(String(sk), item);
    else partition.delete(String(sk));
  }

  allows({ write, key }: Action): boolean {
    return holds(write.ConditionExpression, this.get(write.TableName, key), write);
  }

  /** Lets a write take effect, whatever its condition. */
  apply({ kind, write, key }: Action): void {
    const table = write.TableName;
    if (kind === 'Put') this.set(table, key, write.Item);
    else if (kind === 'Delete') this.set(table, key, undefined);
    else if (kind === 'Update')
      this.set(table, key, updated(this.get(table, key) ?? key, write.UpdateExpression as string, write));
    else if (kind !== 'ConditionCheck') throw new Error(`The simulation does not know the action ${kind}`);
  }

  /** The items that a query reads, in the order of their keys, before its filter; `last` is the key that the next page starts after. */
  query(input: QueryInput): { page: Item[]; last: Item | undefined } {
    const pk = partitionOf(input);
    const after = String(input.ExclusiveStartKey?.sk ?? '');
    const all = [...(this.partitions.get(`${input.TableName} ${pk}`)?.values() ?? [])]
      .filter((item) => holds(input.KeyConditionExpression, item, input) && String(item.sk) > after)
      .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
    const page = all.slice(0, input.Limit);
    const end = page.at(-1);
    return { page, last: all.length > page.length && end ? { pk, sk: end.sk } : undefined };
  }
}

/** The partition that a query reads. */
export function partitionOf({ KeyConditionExpression: text, ExpressionAttributeValues: values }: QueryInput) {
  const [, name] = /^#?pk = (:\w+)/.exec(text) ?? [];
  if (name === undefined) throw new Error(`The simulation does not know the key condition ${text}`);
  return String(values[name]);
}

/** What of a page a query answers. */
export const filtered = (page: readonly Item[], input: QueryInput): Item[] =>
  page.filter((item) => holds(input.FilterExpression, item, input));
