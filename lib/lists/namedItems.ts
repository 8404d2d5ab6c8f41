import { setImmediate } from 'node:timers/promises';
import type { StreamedChange } from '../records/change.ts';
import { collectionOf } from '../resources/collections.ts';
import { changeEntries, differingEntries, type Entry } from './entries.ts';
import { nameOf } from './keys.ts';
import type { NamedItem } from './maintain.ts';

/** A contact names up to 104 items, each by a hash. After this many changes, other work of the process goes on. */
const changesPerTurn = 10;

/** The items that changes of one collection name, each with these changes. */
export async function namedItems(
  changes: readonly StreamedChange[],
): Promise<Map<NamedItem, ReadonlySet<StreamedChange>>> {
  const items = new Map<string, NamedItem>();
  const namedBy = new Map<NamedItem, Set<StreamedChange>>();
  const itemOf = ({ key, ms }: Entry, change: StreamedChange): NamedItem => {
    const name = nameOf(key);
    const item = items.get(name) ?? { key, isLeaf: ms !== undefined, evaluated: new Set(), added: new Map() };
    items.set(name, item);
    namedBy.set(item, (namedBy.get(item) ?? new Set()).add(change));
    return item;
  };
  for (const [i, change] of changes.entries()) {
    const { account, type, before, after, deletion, position } = change;
    if (i > 0 && i % changesPerTurn === 0) await setImmediate();
    for (const entry of differingEntries(collectionOf(type), account, position, {
      before,
      after: deletion ? undefined : after,
    }))
      itemOf(entry, change).evaluated.add(position);
    for (const entry of deletion ? [] : changeEntries({ account, type }, position, after)) {
      const { added } = itemOf(entry, change);
      if ((added.get(position) ?? -1) < (entry.ms ?? 0)) added.set(position, entry.ms);
    }
  }
  return namedBy;
}
