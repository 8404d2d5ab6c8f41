import { isDeepStrictEqual } from 'node:util';
import { BusyError, pause } from '../../../lib/dynamodb/conflicts.ts';
import { absent, type Conditions, present } from '../../../lib/dynamodb/expressions.ts';
import type { Item, Key } from '../../../lib/dynamodb/item.ts';
import { readMany } from '../../../lib/dynamodb/manyItems.ts';
import { readItems, type TableHandle } from '../../../lib/dynamodb/tableHandle.ts';
import { type Action, transact } from '../../../lib/dynamodb/transact.ts';

/**
 * The outcome of an item of the restored table. same: the live table has it. kept: the live table has something newer. passed_over: it is not
 * brought back, or only together with another item. stays: it conflicts with a live item, so a person decides.
 */
export type Outcome = 'same' | 'brought_back' | 'kept' | 'passed_over' | 'stays';

/**
 * The plan for an item: an outcome without a write, or actions that take effect only if nothing has changed since the read. `but` names the
 * part that stays.
 */
export type Plan =
  | Exclude<Outcome, 'brought_back' | 'stays'>
  | { stays: string }
  | { actions: Action[]; but?: string };

/** The kinds of items of a table, and how they come back. */
export interface Restorer {
  /** @returns undefined if the item does not come back by itself */
  kindOf(item: Item): string | undefined;
  /** The kind that other kinds depend on, if any. `ensure` brings back such an item first. */
  readonly early?: string;
  plan(kind: string, restored: Item, living: Item | undefined): Promise<Plan>;
}

interface RestoreJob {
  from: string;
  to: TableHandle;
  /** The names of the key attributes of both tables. */
  keyNames: readonly string[];
  /** RFC 3339 UTC. A record that was changed at this time or later counts as newer than the restored one. */
  changedBefore: string;
  dryRun: boolean;
  /** Called with the outcome of each item, and why it stays. */
  tally(kind: string, outcome: Outcome): void;
  explain(name: string, reason: string): void;
}

/** How long conflicting writes can continue before the command fails. */
const limitMs = 60_000;

const conflictPauseMs = 50;

/** Brings back items one by one: makes a plan, writes it if nothing has changed since, and otherwise makes a new plan. */
export class Restoration {
  readonly job: RestoreJob;
  private readonly restorer: Restorer;
  private readonly ensured = new Map<string, Promise<Outcome>>();

  constructor(job: RestoreJob, restorerFor: (restoration: Restoration) => Restorer) {
    this.job = job;
    this.restorer = restorerFor(this);
  }

  /** Brings back items, together with their dependencies, and counts the outcomes. */
  async bringBack(items: readonly Item[]): Promise<void> {
    const keys = items.map((item) => this.keyOf(item));
    const byName = new Map((await readItems(this.job.to, keys)).map((item) => [this.nameOf(item), item]));
    await Promise.all(
      items.map(async (item) => {
        const kind = this.restorer.kindOf(item);
        if (kind === undefined) return this.job.tally('other', 'passed_over');
        const outcome = await (kind === this.restorer.early
          ? this.ensure(this.keyOf(item))
          : this.restoreItem(kind, item, byName.get(this.nameOf(item))));
        this.job.tally(kind, outcome);
      }),
    );
  }

  /** Brings back the item with this key, once, if the restored table contains it. Call it for dependencies before the items that need them. */
  ensure(key: Key): Promise<Outcome> {
    const name = this.nameOf(key);
    const ensuring = this.ensured.get(name) ?? this.restoreByKey(key);
    this.ensured.set(name, ensuring);
    return ensuring;
  }

  async restored(key: Key): Promise<Item | undefined> {
    return (await readMany(this.job.from, [key]))[0];
  }

  async living(key: Key): Promise<Item | undefined> {
    return (await readItems(this.job.to, [key]))[0];
  }

  private async restoreByKey(key: Key): Promise<Outcome> {
    const [restored, living] = await Promise.all([this.restored(key), this.living(key)]);
    const kind = restored && this.restorer.kindOf(restored);
    return kind === undefined ? 'passed_over' : this.restoreItem(kind, restored as Item, living);
  }

  private async restoreItem(kind: string, restored: Item, found: Item | undefined): Promise<Outcome> {
    const { dryRun, explain } = this.job;
    if (isExpired(restored)) return 'passed_over';
    let living = found;
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; ) {
      const plan = await this.restorer.plan(kind, restored, living);
      if (typeof plan === 'string') return plan;
      if ('stays' in plan || dryRun || (await transact(plan.actions)).committed) {
        const reason = 'stays' in plan ? plan.stays : plan.but;
        if (reason === undefined) return 'brought_back';
        explain(this.nameOf(restored), reason);
        return 'stays';
      }
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

/** A restored table has no time to live, so it still contains expired items. */
const isExpired = ({ ttl }: Item): boolean => typeof ttl === 'number' && ttl * 1000 < Date.now();

/** Returns the conditions that an item is still as it was read, judged by some of its attributes, or that there is still none. */
export const unchanged = (read: Item | undefined, compared: readonly string[] = []): Conditions =>
  read === undefined
    ? { pk: absent }
    : { pk: present, ...Object.fromEntries(compared.map((name) => [name, read[name]])) };

export const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Plans an item that is written once and never changed. A living item stays. */
export function planUnlessThere(to: TableHandle, restored: Item, living: Item | undefined): Plan {
  if (living) return isDeepStrictEqual(living, restored) ? 'same' : 'kept';
  return { actions: [to.put(restored, { if: unchanged(undefined) })] };
}
