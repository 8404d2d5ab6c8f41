import { isDeepStrictEqual } from 'node:util';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../../lib/dynamodb/batch.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { BusyError, pause } from '../../../lib/dynamodb/conflicts.ts';
import { type Action, transact } from '../../../lib/dynamodb/transact.ts';
import type { Outcome, RestoreTally } from './restoreTally.ts';

export type Item = Record<string, unknown>;
export type Key = Record<string, string>;

/**
 * The plan for an item: an outcome without a write, or actions that take effect only if nothing has changed since the
 * read. `but` says which part cannot be brought back.
 */
export type Plan = Outcome | { stays: string } | { actions: Action[]; but?: string };

/** The kinds of items of a table, and how they come back. */
export interface Restorer {
  /** @returns undefined when the item does not belong to this restore */
  kindOf(item: Item): string | undefined;
  /** Kinds that others depend on: `ensure` brings them back before those. */
  readonly early: readonly string[];
  plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan>;
  /** Called after all items. */
  finish(): Promise<void>;
}

/** The tables and options of a restore. */
interface RestoreJob {
  from: string;
  to: string;
  /** The names of the key attributes of both. */
  keyNames: readonly string[];
  /** Only items of this account; all items when it is undefined. */
  account: string | undefined;
  /** RFC 3339 UTC. A record that was changed at this time or later counts as newer than the restored one. */
  changedBefore: string;
  dryRun: boolean;
  tally: RestoreTally;
}

/** How long conflicting writes can go on before the command gives up. */
const limitMs = 60_000;

const conflictPauseMs = 50;

/**
 * Brings items back one by one: makes a plan, writes it if nothing has changed since, and otherwise makes a new plan.
 */
export class Restoration {
  readonly job: RestoreJob;
  private readonly restorer: Restorer;
  private readonly ensured = new Map<string, Promise<Outcome>>();

  constructor(job: RestoreJob, restorerFor: (restoration: Restoration) => Restorer) {
    this.job = job;
    this.restorer = restorerFor(this);
  }

  /** Brings back items, together with what they depend on, and counts the outcomes. */
  async bringBack(items: readonly Item[]): Promise<void> {
    const { to, tally } = this.job;
    const living = await readMany(
      to,
      items.map((item) => this.keyOf(item)),
    );
    const byKey = new Map(living.map((item) => [this.nameOf(item), item]));
    await Promise.all(
      items.map(async (item) => {
        const kind = this.restorer.kindOf(item) ?? 'unknown';
        const isEarly = this.restorer.early.includes(kind);
        const outcome = await (isEarly
          ? this.ensure(this.keyOf(item))
          : this.restoreItem(kind, item, byKey.get(this.nameOf(item))));
        tally.count(kind, outcome);
      }),
    );
  }

  /**
   * Brings back the item with this key, once, before the items that depend on it. `passed_over` when the restored table
   * has no such item.
   */
  ensure(key: Key): Promise<Outcome> {
    const name = this.nameOf(key);
    const ensuring = this.ensured.get(name) ?? this.restoreByKey(key);
    this.ensured.set(name, ensuring);
    return ensuring;
  }

  readonly kindOf = (item: Item): string | undefined => this.restorer.kindOf(item);

  finish(): Promise<void> {
    return this.restorer.finish();
  }

  /** The item of the restored table. */
  restored(key: Key): Promise<Item | undefined> {
    return read(this.job.from, key);
  }

  living(key: Key): Promise<Item | undefined> {
    return read(this.job.to, key);
  }

  private async restoreByKey(key: Key): Promise<Outcome> {
    const [restored, living] = await Promise.all([this.restored(key), this.living(key)]);
    const kind = restored && this.restorer.kindOf(restored);
    return kind === undefined ? 'passed_over' : this.restoreItem(kind, restored as Item, living);
  }

  private async restoreItem(kind: string, restored: Item, found: Item | undefined): Promise<Outcome> {
    const { dryRun, tally } = this.job;
    if (kind === 'unknown') return tally.stay(this.nameOf(restored), 'this release does not know such items');
    if (isExpired(restored)) return 'passed_over';
    let living = found;
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
      const plan = await this.restorer.plan(kind, restored, living);
      if (typeof plan === 'string') return plan;
      if ('stays' in plan) return tally.stay(this.nameOf(restored), plan.stays);
      if (dryRun || (await transact(plan.actions)).committed)
        return plan.but === undefined ? 'brought_back' : tally.stay(this.nameOf(restored), plan.but);
      await pause(conflictPauseMs);
      living = await this.living(this.keyOf(restored));
    }
    throw new BusyError('Other writes changed the same items all the time');
  }

  private keyOf(item: Item): Key {
    return Object.fromEntries(this.job.keyNames.map((name) => [name, item[name] as string]));
  }

  private nameOf(item: Item): string {
    return this.job.keyNames.map((name) => item[name]).join(' / ');
  }
}

export async function read(TableName: string, Key: Key): Promise<Item | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/** A restored table has no time to live, so it still holds expired items. */
const isExpired = ({ ttl }: Item): boolean => typeof ttl === 'number' && ttl * 1000 < Date.now();

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
