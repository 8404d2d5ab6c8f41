import { setImmediate as soon } from 'node:timers/promises';
import { readMany, readsMax } from './batch.ts';

type Item = Record<string, unknown>;

export type ItemKey = Record<'pk' | 'sk', string>;

interface Gathering {
  keys: Map<string, ItemKey>;
  items: Promise<Map<string, Item>>;
}

const nameOf = ({ pk, sk }: ItemKey): string => JSON.stringify([pk, sk]);

/** Reads of one table. Reads that begin at the same time are one request, which reads a key once. */
export class GatheredReads {
  private readonly table: string;
  private gathering: Gathering | undefined;

  constructor(table: string) {
    this.table = table;
  }

  /** The items under at most 100 keys, in the order of the keys; undefined where there is none. Strongly consistent. */
  async read(...keys: ItemKey[]): Promise<(Item | undefined)[]> {
    const { keys: gathered, items } = this.gatheringFor(keys.length);
    for (const key of keys) gathered.set(nameOf(key), key);
    const found = await items;
    return keys.map((key) => found.get(nameOf(key)));
  }

  private gatheringFor(count: number): Gathering {
    if (this.gathering && this.gathering.keys.size + count <= readsMax) return this.gathering;
    const keys = new Map<string, ItemKey>();
    const gathering: Gathering = { keys, items: soon().then(() => this.request(gathering)) };
    this.gathering = gathering;
    return gathering;
  }

  private async request(gathering: Gathering): Promise<Map<string, Item>> {
    // Later reads need a request of their own, because this one may already have read the items.
    if (this.gathering === gathering) this.gathering = undefined;
    const items = await readMany(this.table, [...gathering.keys.values()]);
    return new Map(items.map((item) => [nameOf(item as ItemKey), item]));
  }
}
