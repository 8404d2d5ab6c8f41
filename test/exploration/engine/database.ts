import type { Item } from '../../simulation/expressions.ts';
import {
  type Action,
  actionOf,
  actionsOf,
  filtered,
  partitionOf,
  type QueryInput,
  refusal,
  type Tables,
  type Write,
} from '../../simulation/tables.ts';
import { keyOfStatement, type ReadStatement, statementsOf } from '../../support/faults/statements.ts';
import { type Call, currentActor } from './actor.ts';
import { copyOf, digestOf } from './digest.ts';
import { cancelledError, refusedError } from './errors.ts';
import { presentWorld } from './world.ts';

/** Comparisons in the conditions of writes that hold, whatever the item is: of these attributes, in writes of this kind to these items. */
export interface IgnoredCondition {
  table: string;
  kind?: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  pk?: RegExp;
  sk?: RegExp;
  attributes: readonly string[];
}

let ignoredConditions: readonly IgnoredCondition[] = [];

export function ignoreConditions(conditions: readonly IgnoredCondition[]): void {
  ignoredConditions = conditions;
}

function allows(tables: Tables, action: Action): boolean {
  const { write, kind, key } = action;
  const ignored = ignoredConditions
    .filter(
      (one) =>
        one.table === write.TableName &&
        (one.kind ?? kind) === kind &&
        (one.pk?.test(String(key.pk)) ?? true) &&
        (one.sk?.test(String(key.sk)) ?? true),
    )
    .flatMap(({ attributes }) => attributes);
  return tables.allows(
    ignored.length === 0 ? action : { ...action, write: { ...write, ignored: new Set(ignored) } },
  );
}

/** A command of the document client, as lib sends it. */
export interface Command {
  input: Record<string, unknown>;
  constructor: { name: string };
}

/** What a command does. `about` says what it reads. */
type Effect = Omit<Call, 'label'> & { about?: string };

type Input<Extra> = { TableName: string } & Extra;

/**
 * Sends a command to the tables of the run: as a call of an actor, or at once for the code of the exploration. Each statement of a
 * batch is a call of its own, because a batch is not a transaction.
 */
export async function send(command: Command): Promise<unknown> {
  const statements = statementsOf(command.input);
  if (statements.length > 0) return { Responses: await Promise.all(statements.map(sendStatement)) };
  const call = callOf(presentWorld().tables, command);
  const actor = currentActor();
  return actor ? actor.send(call) : call.perform(1);
}

/** A statement does what a write with a condition does, and answers with the error of that write. */
async function sendStatement(statement: ReadStatement<unknown>): Promise<object> {
  const { kind, table: TableName, values, where } = statement;
  const name = kind === 'Insert' ? 'Put' : 'Update';
  const input =
    kind === 'Insert'
      ? { TableName, Item: values, ConditionExpression: 'attribute_not_exists(pk)' }
      : updateOf(TableName, keyOfStatement(statement), values, where);
  try {
    await send({ input, constructor: { name: `${name}Command` } });
    return {};
  } catch (error) {
    const { name: Code, message: Message } = error as Error;
    if (!/^(ConditionalCheckFailed|TransactionConflict)Exception$/.test(Code)) throw error;
    return { Error: { Code: Code.replace(/Exception$/, ''), Message } };
  }
}

function updateOf(TableName: string, Key: Item, values: Item, where: Item): Record<string, unknown> {
  const names = [...Object.keys(values), ...Object.keys(where)];
  return {
    TableName,
    Key,
    UpdateExpression: `SET ${Object.keys(values)
      .map((one) => `#${one} = :new_${one}`)
      .join(', ')}`,
    ConditionExpression: Object.keys(where)
      .map((one) => `#${one} = :${one}`)
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((one) => [`#${one}`, one])),
    ExpressionAttributeValues: Object.fromEntries([
      ...Object.entries(values).map(([one, value]) => [`:new_${one}`, value]),
      ...Object.entries(where).map(([one, value]) => [`:${one}`, value]),
    ]),
  };
}

const nameOf = (table: string, { pk, sk = '' }: Item): string => `${table}: ${pk} ${sk}`.trim();
const nameOfAction = ({ write, key }: Action): string => nameOf(write.TableName, key);

const operations: Record<string, (tables: Tables, input: never) => Effect> = {
  Get: (tables, { TableName, Key }: Input<{ Key: Item }>) => ({
    about: nameOf(TableName, Key),
    writes: [],
    perform: () => ({ Item: copyOf(tables.get(TableName, Key)) }),
  }),
  BatchGet: (tables, { RequestItems }: { RequestItems: Record<string, { Keys: Item[] }> }) => ({
    about: Object.entries(RequestItems)
      .flatMap(([table, { Keys }]) => Keys.map((key) => nameOf(table, key)))
      .join(', '),
    writes: [],
    perform: () => ({ Responses: copyOf(found(tables, RequestItems)) }),
  }),
  Query: (tables, input: QueryInput) => ({
    about: `${input.TableName}: ${partitionOf(input)}`,
    writes: [],
    perform: () => {
      const { page, last } = tables.query(input);
      return { Items: copyOf(filtered(page, input)), ...(last ? { LastEvaluatedKey: last } : {}) };
    },
  }),
  Put: (tables, input: Write) => single(tables, actionOf('Put', input)),
  Update: (tables, input: Write) => single(tables, actionOf('Update', input)),
  Delete: (tables, input: Write) => single(tables, actionOf('Delete', input)),
  // A message only says what the table has: the promises hold without it.
  SendMessageBatch: (_, { QueueUrl }: { QueueUrl: string }) => ({
    about: QueueUrl,
    writes: [],
    perform: () => ({}),
  }),
  // Work that nothing else begins: a run notes that its message was sent.
  SendMessage: (tables, { QueueUrl }: { QueueUrl: string }) => ({
    about: QueueUrl,
    writes: [],
    perform: () => {
      tables.set('facts', { pk: QueueUrl }, { pk: QueueUrl, value: true });
      return {};
    },
  }),
  TransactWrite: transaction,
  BatchWrite: (tables, { RequestItems }: { RequestItems: Record<string, Deletion[]> }) => {
    const deletions = Object.entries(RequestItems).flatMap(([table, requests]) =>
      requests.map(({ DeleteRequest: { Key } }) => ({ table, Key })),
    );
    return {
      writes: deletions.map(({ table, Key }) => nameOf(table, Key)),
      perform: () => {
        for (const { table, Key } of deletions) tables.set(table, Key, undefined);
        return {};
      },
    };
  },
};

interface Deletion {
  DeleteRequest: { Key: Item };
}

function callOf(tables: Tables, command: Command): Call {
  const operation = command.constructor.name.replace(/Command$/, '');
  const make = operations[operation];
  if (!make) throw new Error(`The exploration does not know the operation ${operation}`);
  const input = copyOf(command.input);
  const call = make(tables, input as never);
  return {
    ...call,
    content: () => digestOf(input),
    label: `${operation} ${call.about ?? call.writes.join(', ')}`,
  };
}

const found = (tables: Tables, requests: Record<string, { Keys: Item[] }>) =>
  Object.fromEntries(
    Object.entries(requests).map(([table, { Keys }]) => [
      table,
      Keys.flatMap((key) => tables.get(table, key) ?? []),
    ]),
  );

const single = (tables: Tables, action: Action): Effect => ({
  writes: [nameOfAction(action)],
  perform: (attempts) => {
    const { write, key } = action;
    const before = tables.get(write.TableName, key);
    if (!allows(tables, action)) throw refusedError(attempts, refusal(write, before));
    tables.apply(action);
    return { Attributes: copyOf(tables.get(write.TableName, key)) };
  },
});

/** The tokens of transactions that were committed. */
const tokens = 'tokens';

function transaction(
  tables: Tables,
  {
    TransactItems,
    ClientRequestToken: pk,
  }: { TransactItems: Record<string, Write>[]; ClientRequestToken: string },
): Effect {
  const actions = actionsOf(TransactItems);
  const perform = () => {
    if (tables.get(tokens, { pk })) return {};
    const reasons = actions.map((action) =>
      allows(tables, action)
        ? { Code: 'None' }
        : refusal(action.write, tables.get(action.write.TableName, action.key)),
    );
    if (reasons.some(({ Code }) => Code !== 'None')) throw cancelledError(reasons);
    for (const action of actions) tables.apply(action);
    tables.set(tokens, { pk }, { pk });
    return {};
  };
  return { writes: actions.map(nameOfAction), isTransaction: true, perform };
}
