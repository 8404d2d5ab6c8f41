import {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { keyOfStatement, type ReadStatement, statementsOf } from '../support/faults/statements.ts';
import type { Item } from './expressions.ts';
import { type Distance, latencyOf } from './latencies.ts';
import type { Random } from './random.ts';
import {
  type Action,
  actionOf,
  actionsOf,
  filtered,
  partitionOf,
  type QueryInput,
  refusal,
  Tables,
  type Write,
} from './tables.ts';
import { elapsedMs, sleep } from './virtualTime.ts';

/** The one table of the simulation. */
const table = 'simulated';

/** What a partition takes in a second. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const limits = { write: 1000, read: 3000 } as const;

/** The SDK repeats a throttled call twice. */
const attemptsMax = 3;
const retryPauseMs = 100;

/** A command of the document client, as lib sends it. */
interface Command {
  input: Record<string, unknown>;
  constructor: { name: string };
}

/** What the calls of a run took. */
export class Usage {
  callCount = 0;
  writeUnits = 0;
  readUnits = 0;
  cancelled = 0;
  throttled = 0;
  /** The most units of any partition in one second. */
  readonly busiest = { write: 0, read: 0 };
}

/**
 * A table of DynamoDB in memory: conditions, conflicts of transactions, units, limits of partitions. A transaction holds its items from
 * the moment when it has checked that no other does, until it is committed.
 */
export class SimulatedDatabase {
  usage = new Usage();
  /** Called after each write of lib, as a stream of the table would be. */
  onWrite: (key: Item) => void = () => {};
  private readonly tables = new Tables();
  private readonly held = new Set<string>();
  private readonly unitsOfSecond = new Map<string, number>();
  private second = -1;
  private readonly distance: Distance;
  private readonly random: Random;

  constructor(distance: Distance, random: Random) {
    this.distance = distance;
    this.random = random;
  }

  items(): Item[] {
    return this.tables.items(table);
  }

  get(key: Item): Item | undefined {
    return this.tables.get(table, key);
  }

  /** Puts an item into the table at once, whatever transaction holds it. */
  set(item: Item): void {
    this.tables.set(table, item, item);
  }

  async send(command: Command): Promise<unknown> {
    const operation = `${command.constructor.name.replace(/Command$/, '')}`;
    for (let attempt = 1; ; attempt++)
      try {
        const answer = await this.attempt(operation, command.input);
        return structuredClone(answer);
      } catch (error) {
        if (!(error instanceof ProvisionedThroughputExceededException)) throw error;
        this.usage.throttled += 1;
        if (attempt === attemptsMax) throw error;
        await sleep(retryPauseMs * 2 ** attempt * this.random.next());
      }
  }

  private attempt(operation: string, input: Record<string, unknown>): Promise<unknown> {
    this.usage.callCount += 1;
    if (operation === 'TransactWrite') return this.transact(input.TransactItems as Record<string, Write>[]);
    if (operation === 'Get') return this.read(input as { Key: Item; ConsistentRead: boolean });
    if (operation === 'Query') return this.query(input as never);
    if (operation === 'BatchGet')
      return this.readMany(input.RequestItems as Record<string, { Keys: Item[]; ConsistentRead: boolean }>);
    if (operation === 'BatchWrite')
      return this.remove(input.RequestItems as Record<string, { DeleteRequest: { Key: Item } }[]>);
    if (operation === 'BatchExecuteStatement') return this.execute(statementsOf(input));
    if (operation === 'Put' || operation === 'Update' || operation === 'Delete')
      return this.write(operation, input as unknown as Write);
    throw new Error(`The simulation does not know the operation ${operation}`);
  }

  private latency(operation: string, items = 1): number {
    return latencyOf(this.distance, this.random, operation, Math.min(items, 100));
  }

  private async transact(parts: readonly Record<string, Write>[]): Promise<unknown> {
    const actions = actionsOf(parts);
    const ms = this.latency('TransactWriteItems', actions.length);
    await sleep(0.3 * ms);
    const amounts = actions.map(
      ({ key, write }) => [key, 2 * units(write.Item ?? this.get(key), 1024)] as const,
    );
    const hot = this.bill('write', amounts);
    if (hot.size > 0) {
      this.usage.throttled += 1;
      await sleep(0.4 * ms);
      throw this.cancelled(
        actions.map(({ key }) => ({ Code: hot.has(String(key.pk)) ? 'ThrottlingError' : 'None' })),
      );
    }
    const held = actions.map(({ key }) => this.held.has(nameOf(key)));
    if (held.includes(true)) {
      await sleep(0.4 * ms);
      throw this.cancelled(held.map((one) => ({ Code: one ? 'TransactionConflict' : 'None' })));
    }
    for (const { key } of actions) this.held.add(nameOf(key));
    await sleep(0.4 * ms);
    const found = actions.map(({ key }) => this.get(key));
    const isRefused = actions.map((action) => !this.tables.allows(action));
    for (const { key } of actions) this.held.delete(nameOf(key));
    if (!isRefused.includes(true)) for (const action of actions) this.apply(action);
    await sleep(0.3 * ms);
    if (isRefused.includes(true))
      throw this.cancelled(
        isRefused.map((one, i) => (one ? refusal(actions[i]?.write as Write, found[i]) : { Code: 'None' })),
      );
    return {};
  }

  private apply(action: Action): void {
    this.tables.apply(action);
    this.onWrite(action.key);
  }

  private cancelled(CancellationReasons: object[]): TransactionCanceledException {
    this.usage.cancelled += 1;
    return new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
  }

  private async write(kind: string, write: Write): Promise<unknown> {
    const ms = this.latency(`${kind}Item`);
    await sleep(0.5 * ms);
    const action = actionOf(kind, write);
    const { key } = action;
    const before = this.get(key);
    this.billOne('write', key, units(write.Item ?? before, 1024));
    const isHeld = this.held.has(nameOf(key));
    const isAllowed = !isHeld && this.tables.allows(action);
    if (isAllowed) this.apply(action);
    const after = this.get(key);
    await sleep(0.5 * ms);
    if (isHeld) throw new TransactionConflictException({ message: 'held', $metadata: {} });
    if (!isAllowed)
      throw new ConditionalCheckFailedException({
        message: 'refused',
        $metadata: {},
        ...refusal(write, before),
      });
    return { Attributes: after };
  }

  /** Each statement takes effect or is refused on its own. */
  private async execute(statements: readonly ReadStatement<unknown>[]): Promise<unknown> {
    const ms = this.latency('BatchExecuteStatement', statements.length);
    await sleep(0.5 * ms);
    const Responses = statements.map((statement) => {
      const key: Item = keyOfStatement(statement);
      const before = this.get(key);
      const { kind, values, where } = statement;
      if (this.bill('write', [[key, units({ ...before, ...values }, 1024)]]).size > 0)
        return { Error: { Code: 'ProvisionedThroughputExceeded' } };
      if (this.held.has(nameOf(key))) return { Error: { Code: 'TransactionConflict' } };
      if (kind === 'Insert' && before) return { Error: { Code: 'DuplicateItem' } };
      if (kind === 'Update' && !Object.entries(where).every(([name, value]) => before?.[name] === value))
        return { Error: { Code: 'ConditionalCheckFailed' } };
      this.set({ ...before, ...key, ...values });
      return {};
    });
    await sleep(0.5 * ms);
    return { Responses };
  }

  private async read({ Key: key, ConsistentRead }: { Key: Item; ConsistentRead: boolean }): Promise<unknown> {
    const ms = this.latency('GetItem');
    await sleep(0.5 * ms);
    const item = this.get(key);
    this.billOne('read', key, units(item, 4096) * (ConsistentRead ? 1 : 0.5));
    await sleep(0.5 * ms);
    return { Item: item };
  }

  private async readMany(
    requests: Record<string, { Keys: Item[]; ConsistentRead: boolean }>,
  ): Promise<unknown> {
    const [{ Keys, ConsistentRead }] = Object.values(requests) as [{ Keys: Item[]; ConsistentRead: boolean }];
    const ms = this.latency('BatchGetItem', Keys.length);
    await sleep(0.5 * ms);
    const share = ConsistentRead ? 1 : 0.5;
    const isUndone = (key: Item) => this.bill('read', [[key, share * units(this.get(key), 4096)]]).size > 0;
    const undone = Keys.filter(isUndone);
    const items = Keys.flatMap((key) => (undone.includes(key) ? [] : (this.get(key) ?? [])));
    await sleep(0.5 * ms);
    return {
      Responses: { [table]: items },
      UnprocessedKeys: undone.length > 0 ? { [table]: { Keys: undone } } : {},
    };
  }

  private async query(input: QueryInput): Promise<unknown> {
    const ms = this.latency('Query', this.tables.query(input).page.length);
    await sleep(0.5 * ms);
    const { page, last } = this.tables.query(input);
    const bytes = page.reduce((sum, item) => sum + sizeOf(item), 0);
    this.billOne('read', { pk: partitionOf(input) }, Math.max(1, Math.ceil(bytes / 4096)));
    await sleep(0.5 * ms);
    return { Items: filtered(page, input), ...(last ? { LastEvaluatedKey: last } : {}) };
  }

  private async remove(requests: Record<string, { DeleteRequest: { Key: Item } }[]>): Promise<unknown> {
    const [deletions] = Object.values(requests) as [{ DeleteRequest: { Key: Item } }[]];
    const ms = this.latency('BatchWriteItem', deletions.length);
    await sleep(0.5 * ms);
    const undone = deletions.filter(({ DeleteRequest: { Key } }) => {
      const amount = units(this.get(Key), 1024);
      if (this.held.has(nameOf(Key)) || this.bill('write', [[Key, amount]]).size > 0) return true;
      this.tables.set(table, Key, undefined);
      return false;
    });
    await sleep(0.5 * ms);
    return { UnprocessedItems: undone.length > 0 ? { [table]: undone } : {} };
  }

  /** @returns the partitions that have had their units of this second: then nothing is billed */
  private bill(kind: 'write' | 'read', amounts: readonly (readonly [Item, number])[]): Set<string> {
    const second = Math.floor(elapsedMs() / 1000);
    if (second !== this.second) this.unitsOfSecond.clear();
    this.second = second;
    const sums = new Map<string, number>();
    for (const [{ pk }, amount] of amounts) {
      const name = `${kind} ${pk}`;
      sums.set(name, (sums.get(name) ?? this.unitsOfSecond.get(name) ?? 0) + amount);
    }
    const hot = [...sums].filter(([, sum]) => sum > limits[kind]);
    if (hot.length > 0) return new Set(hot.map(([name]) => name.slice(kind.length + 1)));
    const total = amounts.reduce((sum, [, amount]) => sum + amount, 0);
    if (kind === 'write') this.usage.writeUnits += total;
    else this.usage.readUnits += total;
    for (const [name, sum] of sums) this.unitsOfSecond.set(name, sum);
    this.usage.busiest[kind] = Math.max(this.usage.busiest[kind], ...sums.values());
    return new Set();
  }

  /** @throws ProvisionedThroughputExceededException when the partition has had its units of this second */
  private billOne(kind: 'write' | 'read', key: Item, amount: number): void {
    if (this.bill(kind, [[key, amount]]).size > 0)
      throw new ProvisionedThroughputExceededException({
        message: 'too much for a partition',
        $metadata: {},
      });
  }
}

const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** Bytes, about as DynamoDB counts them. */
function sizeOf(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'object')
    return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + 1 + sizeOf(one), 3);
  return String(value).length;
}

const units = (item: Item | undefined, unit: number): number => Math.max(1, Math.ceil(sizeOf(item) / unit));
