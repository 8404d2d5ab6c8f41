import { readItems } from '../../dynamodb/tableHandle.ts';
import { index } from '../../dynamodb/tables.ts';
import type { CollectionRef } from '../../records/keys.ts';
import { chunkSize } from '../../records/sets/chunk.ts';
import type { Stored } from '../../resources/collection.ts';
import { collectionOf } from '../../resources/collections.ts';
import { type CurrentRecord, readCurrent } from '../currentRecords.ts';
import { deferredSince } from '../deferred.ts';
import { changeEntries, type Entry } from '../entries.ts';
import { type ItemKey, nameOf } from '../keys.ts';
import type { NamedItem } from '../maintain.ts';
import { type ItemContent, readContent } from '../sets/itemContent.ts';
import { type Differences, isRight, positionsIn } from './differences.ts';
import { isMarkWrong } from './markDifferences.ts';
import { partsOf } from './parts.ts';

/** What is wrong of differences. */
export interface Confirmed extends Differences {
  /** How many positions differ whose records have changed lately: the index may only be late. */
  late: number;
}

/**
 * Leaves of differences only what is wrong. It reads the items, and after that their records. A record that changed long ago must
 * be in the index as it is; the index may still be about to follow the change of any other, and of all since the first that is deferred.
 * @param before records that have changed since this time are not confirmed, RFC 3339
 */
export async function confirm(differences: Differences, before: string): Promise<Confirmed> {
  const { ref, items, marks } = differences;
  // Read before the items: what is deferred no more is in them.
  const deferred = items.length > 0 ? await deferredSince(ref.account) : undefined;
  const changedBefore = deferred !== undefined && deferred < before ? deferred : before;
  const wrong: NamedItem[] = [];
  let late = 0;
  for (const part of partsOf(items)) {
    const still = await stillDiffering(ref, part);
    const confirmed = still.flatMap((item) =>
      // Records that do not exist have no time.
      keep(item, (position) => (item.current.get(position)?.record.updated_at ?? '') < changedBefore),
    );
    wrong.push(...confirmed);
    late += positionsIn(still) - positionsIn(confirmed);
  }
  return {
    ...differences,
    items: wrong,
    marks: marks.filter((mark) => isMarkWrong(mark, changedBefore)),
    late,
  };
}

/** An item, and the records at its positions. */
interface DifferingItem extends NamedItem {
  current: ReadonlyMap<number, CurrentRecord<Stored>>;
}

async function stillDiffering(ref: CollectionRef, items: readonly NamedItem[]): Promise<DifferingItem[]> {
  const stored = await readItems(
    index,
    items.map(({ key }) => ({ ...key })),
  );
  const contents = new Map(stored.map((item) => [nameOf(item as unknown as ItemKey), item.members]));
  const current = await readCurrent(
    collectionOf(ref.type),
    ref.account,
    new Set(items.flatMap(({ evaluated, added }) => [...evaluated, ...added.keys()])),
  );
  return items.flatMap((item) => {
    const name = nameOf(item.key);
    const content = readContent(item, contents.get(name) as Uint8Array | undefined);
    return keep({ ...item, current }, (position) => {
      const found = current.get(position);
      return isDifferent(item, position, content, found && entryIn(ref, position, found, name));
    });
  });
}

function isDifferent(
  { added }: NamedItem,
  position: number,
  content: ItemContent,
  expected: Entry | undefined,
): boolean {
  const [members, at] = [content.members(), position % chunkSize];
  // A record that has changed once more is no longer expected where its older changes are.
  if (expected === undefined) return !added.has(position) && members.has(at);
  return !isRight(added.has(position), members.has(at), members.get(at), expected.ms);
}

/** The item with those positions that are to be kept; none when these are none. */
function keep<T extends NamedItem>(item: T, isKept: (position: number) => boolean): T[] {
  const evaluated = new Set([...item.evaluated].filter(isKept));
  const added = new Map([...item.added].filter(([position]) => isKept(position)));
  return evaluated.size + added.size === 0 ? [] : [{ ...item, evaluated, added }];
}

/** What a record says of an item, also of one with times of changes. */
const entryIn = (
  ref: CollectionRef,
  position: number,
  { record, entries }: CurrentRecord<Stored>,
  name: string,
): Entry | undefined =>
  entries.get(name) ?? changeEntries(ref, position, record).find(({ key }) => nameOf(key) === name);
