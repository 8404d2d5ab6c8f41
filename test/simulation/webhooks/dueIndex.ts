import { sweep } from '../../../lib/webhooks/queue/sweep.ts';
import type { SimulatedDatabase } from '../database.ts';
import type { Item } from '../expressions.ts';
import { sleep } from '../virtualTime.ts';

const second = 1000;
const minute = 60 * second;

const queryMs = 3;

/** The due index of a simulated table, and the sweep, which runs in each minute in which something is due. */
export class DueIndex {
  private readonly database: SimulatedDatabase;
  /** The entries of the index at a moment: a sweep reads all partitions at once. */
  private known: { at: number; entries: Item[] } | undefined;

  constructor(database: SimulatedDatabase) {
    this.database = database;
  }

  private get entries(): Item[] {
    if (this.known?.at !== Date.now()) {
      const entries = this.database.items().filter(({ due_partition }) => due_partition !== undefined);
      this.known = { at: Date.now(), entries };
    }
    return this.known.entries;
  }

  /** Answers a query of the index. */
  async query({ ExpressionAttributeValues }: Item): Promise<{ Items: Item[] }> {
    await sleep(queryMs);
    const [partition, until] = Object.values(ExpressionAttributeValues as Item).map(String) as [
      string,
      string,
    ];
    const isDue = (item: Item) => item.due_partition === partition && String(item.enqueue_at) <= until;
    return { Items: this.entries.filter(isDue).map((item) => structuredClone(item)) };
  }

  /** Sweeps until everything is over. @param run how a sweep is invoked */
  async sweeps(isOver: () => boolean, run: (work: () => Promise<void>) => Promise<unknown>): Promise<void> {
    while (!isOver()) {
      const dues = this.entries.map(({ enqueue_at }) => Date.parse(String(enqueue_at)));
      const next = dues.reduce((least, due) => Math.min(least, due), Date.now() + 60 * minute);
      await sleep(Math.max(minute - (Date.now() % minute), next - Date.now()));
      if (!isOver()) await run(() => sweep(Date.now() + 30 * second));
    }
  }
}
