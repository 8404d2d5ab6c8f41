import type { SequenceRef } from './recordKeys.ts';

/** The map is cleared at this many collections, so that the memory of a process does not grow without limit. */
const sizeMax = 10_000;

/** A cache of values by collection, in the memory of a process. An entry may be missing at any time. */
export class CollectionMap<Value> {
  private readonly values = new Map<string, Value>();

  get(ref: SequenceRef): Value | undefined {
    return this.values.get(nameOf(ref));
  }

  set(ref: SequenceRef, value: Value): void {
    if (this.values.size >= sizeMax) this.values.clear();
    this.values.set(nameOf(ref), value);
  }

  delete(ref: SequenceRef): void {
    this.values.delete(nameOf(ref));
  }
}

const nameOf = ({ account, type }: SequenceRef): string => `${account}#${type}`;
