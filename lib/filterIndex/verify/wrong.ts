import { batchesOf } from '../../concurrency.ts';
import { nameOf } from '../../dynamodb/item.ts';
import { readByKey } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import type { CollectionRef } from '../../records/recordKeys.ts';
import { deferredSince } from '../deferredIndex.ts';
import { changeEntries, type IndexEntry } from '../indexEntries.ts';
import { countPositions, maintain, type NamedItem, positionsNamed, type StoredItem } from '../maintain.ts';
import { type CurrentRecord, collectionSource, readCurrent } from '../readRecords.ts';
import { noteIfLate } from '../updatedTimes.ts';
import { deletionsIn, repairDeletions } from './deletions.ts';
import { type Differences, differenceOf, recordsAtOnce } from './differences.ts';

export interface Confirmed extends Differences {
  /** How many positions differ whose records have changed recently. The index may only be late there. */
  late: number;
}

/**
 * Reduces differences to what is really wrong. It reads the items, and then their records. The index must agree with a record that changed long
 * ago. It may still lag behind all other changes, and behind all changes since the first deferred one.
 * @param before records that have changed since this time are not confirmed, RFC 3339
 */
export async function confirm(differences: Differences, before: string): Promise<Confirmed> {
  const { ref, items } = differences;
  // Read before the items, so they contain every change that is no longer deferred.
  const deferred = items.length > 0 ? await deferredSince(ref.account) : undefined;
  const changedBefore = deferred !== undefined && deferred < before ? deferred : before;
  const wrong: NamedItem[] = [];
  let late = 0;
  for (const part of partsOf(items)) {
    const { still, current } = await stillDiffering(ref, part);
    const confirmed = still.flatMap((item) =>
      // Records that do not exist have no time.
      keep(item, (position) => (current.get(position)?.record.updated_at ?? '') < changedBefore),
    );
    wrong.push(...confirmed);
    late += countPositions(still) - countPositions(confirmed);
  }
  return { ...differences, items: wrong, late };
}

/** Returns the differences that remain when the items, and then their records, are read again. */
async function stillDiffering(ref: CollectionRef, items: readonly NamedItem[]) {
  const storedAt = await readByKey<StoredItem>(
    index,
    items.map(({ key }) => key),
  );
  const current = await readCurrent(ref, positionsNamed(items));
  const still = items.flatMap((item) => {
    const { key, isHour, added } = item;
    const positions = positionsNamed([item]);
    const members = new Map(
      [...positions].flatMap((position) => {
        const found = current.get(position);
        const entry = found && entryIn(ref, position, found, nameOf(key));
        return entry ? [[position, entry.ms] as const] : [];
      }),
    );
    const difference = differenceOf(
      { key, isHour, onlyGrows: added.size > 0, members },
      storedAt(key)?.members,
    );
    return difference ? keep(difference, (position) => positions.has(position)) : [];
  });
  return { still, current };
}

/** Returns the item with only the positions to keep, or nothing if none are left. */
function keep(item: NamedItem, isKept: (position: number) => boolean): NamedItem[] {
  const toEvaluate = new Set([...item.toEvaluate].filter(isKept));
  const added = new Map([...item.added].filter(([position]) => isKept(position)));
  return toEvaluate.size + added.size === 0 ? [] : [{ ...item, toEvaluate, added }];
}

const entryIn = (
  ref: CollectionRef,
  position: number,
  { record, entries }: CurrentRecord,
  name: string,
): IndexEntry | undefined =>
  entries.get(name) ?? changeEntries(ref, position, record).find(({ key }) => nameOf(key) === name);

/** How long a part is retried while others write the same items. */
const limitMs = 30_000;

/**
 * Repairs items like the function indexChanges: each is written with its records as they are at that moment. So items that have become correct
 * in the meantime stay correct, and a repair may run during live traffic and alongside another repair. Changes that polls have missed are noted
 * as late.
 * @returns how many positions could not be written because of others
 */
export async function repair({ ref, items, deletions }: Differences): Promise<number> {
  const source = collectionSource(ref);
  let left = 0;
  for (const part of partsOf(items)) {
    await noteIfLate(ref, await firstChange(ref, part));
    left += countPositions(await maintain(source, part, Date.now() + limitMs));
  }
  return left + (deletionsIn(deletions) > 0 ? await repairDeletions(ref, deletions) : 0);
}

/** Returns the first time of the records that items lack or contain wrongly. */
async function firstChange(ref: CollectionRef, items: readonly NamedItem[]): Promise<string> {
  const current = await readCurrent(ref, positionsNamed(items));
  return [...current.values()].map(({ record }) => record.updated_at).sort()[0] ?? new Date().toISOString();
}

const itemsAtOnce = 500;

const rangeOf = (position: number): number => Math.floor(position / recordsAtOnce);

/** Divides items by ranges of positions, so that the records of each part fit into memory. */
function partsOf(items: readonly NamedItem[]): NamedItem[][] {
  const ranges = new Map<number, NamedItem[]>();
  for (const item of items) {
    for (const range of new Set([...positionsNamed([item])].map(rangeOf))) {
      const part = ranges.get(range) ?? [];
      ranges.set(range, part);
      part.push(...keep(item, (position) => rangeOf(position) === range));
    }
  }
  // Items with many positions share their records, so they belong in the same part.
  return [...ranges.values()].flatMap((inRange) =>
    batchesOf(
      inRange.toSorted((a, b) => b.toEvaluate.size - a.toEvaluate.size),
      itemsAtOnce,
    ),
  );
}
