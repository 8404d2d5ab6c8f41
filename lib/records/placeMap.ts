import type { Place } from './keys.ts';

/** A process that has met this many collections starts over rather than grow for ever. */
const sizeMax = 10_000;

/** What a process keeps in mind of collections. It may be forgotten at any time. */
export class PlaceMap<Value> {
  private readonly values = new Map<string, Value>();

  get(place: Place): Value | undefined {
    return this.values.get(nameOf(place));
  }

  set(place: Place, value: Value): void {
    if (this.values.size >= sizeMax) this.values.clear();
    this.values.set(nameOf(place), value);
  }

  delete(place: Place): void {
    this.values.delete(nameOf(place));
  }
}

const nameOf = ({ account, type }: Place): string => `${account}#${type}`;
