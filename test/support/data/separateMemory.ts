import { AsyncLocalStorage } from 'node:async_hooks';
import type { CollectionRef } from '../../../lib/records/recordKeys.ts';

// A cache by collection, separate for each piece of work that runs `withSeparateMemory`: so many creators in one test share
// no memory, like as many Lambdas. It replaces lib/records/collectionMap.ts.

const memory = new AsyncLocalStorage<Map<object, Map<string, unknown>>>();
const shared = new Map<object, Map<string, unknown>>();

export const withSeparateMemory = <T>(work: () => Promise<T>): Promise<T> => memory.run(new Map(), work);

export class CollectionMap<Value> {
  get(ref: CollectionRef): Value | undefined {
    return this.values().get(nameOf(ref)) as Value | undefined;
  }

  set(ref: CollectionRef, value: Value): void {
    this.values().set(nameOf(ref), value);
  }

  delete(ref: CollectionRef): void {
    this.values().delete(nameOf(ref));
  }

  private values(): Map<string, unknown> {
    const maps = memory.getStore() ?? shared;
    const values = maps.get(this) ?? new Map<string, unknown>();
    maps.set(this, values);
    return values;
  }
}

const nameOf = ({ account, type }: CollectionRef): string => `${account}#${type}`;
