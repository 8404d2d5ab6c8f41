import { AsyncLocalStorage } from 'node:async_hooks';
import type { Place } from '../../../lib/records/keys.ts';

// What a process keeps in mind of collections, kept apart for each piece of work that runs `withOwnMemory`: so the many
// who create in one test know as little of each other as as many Lambdas do. Put in the place of lib/records/placeMap.ts.

const memory = new AsyncLocalStorage<Map<object, Map<string, unknown>>>();
const shared = new Map<object, Map<string, unknown>>();

export const withOwnMemory = <T>(work: () => Promise<T>): Promise<T> => memory.run(new Map(), work);

export class PlaceMap<Value> {
  get(place: Place): Value | undefined {
    return this.values().get(nameOf(place)) as Value | undefined;
  }

  set(place: Place, value: Value): void {
    this.values().set(nameOf(place), value);
  }

  delete(place: Place): void {
    this.values().delete(nameOf(place));
  }

  private values(): Map<string, unknown> {
    const maps = memory.getStore() ?? shared;
    const values = maps.get(this) ?? new Map<string, unknown>();
    maps.set(this, values);
    return values;
  }
}

const nameOf = ({ account, type }: Place): string => `${account}#${type}`;
