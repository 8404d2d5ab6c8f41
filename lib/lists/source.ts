import type { Entry } from './entries.ts';

/** Where the index is maintained from. */
export interface Source {
  /** The entries of what is at these positions now, by the names of their items. Strongly consistent. */
  entriesAt(positions: ReadonlySet<number>): Promise<ReadonlyMap<number, ReadonlyMap<string, Entry>>>;
  /** When an item that is written now can be removed, in epoch seconds; without it, never. */
  expiry?(): number;
  /** How many batches of items are written at once; without it, two. */
  batchesAtOnce?: number;
}
