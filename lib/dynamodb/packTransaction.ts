import { actionsMax, transactionBytesMax } from './transact.ts';

export interface EntryCosts<Entry> {
  actionsOf(entry: Entry): number;
  bytesOf(entry: Entry): number;
  /** How many actions the transaction needs once, however many entries it has. */
  commonActions?: number;
  /** Items that the transaction writes by one action each, however many entries name them. */
  sharedItemsOf?(entry: Entry): readonly string[];
  /** Names that no two entries may share, because a transaction cannot write an item twice. */
  uniqueNamesOf?(entry: Entry): readonly string[];
}

/**
 * Returns the entries of the next transaction: as many as fit, from the front of the list, and at least one. If entries share a unique name,
 * only the first one is included.
 */
export function packTransaction<Entry>(entries: readonly Entry[], costs: EntryCosts<Entry>): Entry[] {
  const { actionsOf, bytesOf, commonActions = 0, sharedItemsOf, uniqueNamesOf } = costs;
  const packed: Entry[] = [];
  const items = new Set<string>();
  const names = new Set<string>();
  let [actions, bytes] = [commonActions, 0];
  for (const entry of entries) {
    const own = uniqueNamesOf?.(entry) ?? [];
    if (own.some((name) => names.has(name))) continue;
    for (const item of sharedItemsOf?.(entry) ?? []) items.add(item);
    actions += actionsOf(entry);
    bytes += bytesOf(entry);
    if (packed.length > 0 && (actions + items.size > actionsMax || bytes > transactionBytesMax)) break;
    for (const name of own) names.add(name);
    packed.push(entry);
  }
  return packed;
}
