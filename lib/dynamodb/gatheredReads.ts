import { setImmediate as soon } from 'node:timers/promises';
import { type Item, type Key, nameOf } from './item.ts';
import { readMany, readsMax } from './manyItems.ts';

interface Gathering {
  keys: Map<string, Key>;
  items: Promise<Map<string, Item>>;
}

/** Combines reads of one table: reads that begin at the same time become one request, which reads each key once. */
export class GatheredReads {
  private readonly table: string;
  private gathering: Gathering | undefined;

  constructor(table: string) {
    this.table = table;
  }

  /** Reads at most 100 keys, and returns their items in the same order; undefined for a missing item. Strongly consistent. */
  async read<Found extends object[]>(
    ...keys: { [Nth in keyof Found]: Key }
  ): Promise<{ [Nth in keyof Found]: Found[Nth] | undefined }> {
    const { keys: gathered, items } = this.gatheringFor(keys.length);
    for (const key of keys) gathered.set(nameOf(key), key);
    const found = await items;
    return keys.map((key) => found.get(nameOf(key))) as { [Nth in keyof Found]: Found[Nth] };
  }

  private gatheringFor(count: number): Gathering {
    if (this.gathering && this.gathering.keys.size + count <= readsMax) return this.gathering;
    const keys = new Map<string, Key>();
    const gathering: Gathering = { keys, items: soon().then(() => this.request(gathering)) };
    this.gathering = gathering;
    return gathering;
  }

  private async request(gathering: Gathering): Promise<Map<string, Item>> {
    // Later reads need a new request, because this one may already have read the items.
    if (this.gathering === gathering) this.gathering = undefined;
    const items = await readMany(this.table, [...gathering.keys.values()]);
    return new Map(items.map((item) => [nameOf(item), item]));
  }
}
