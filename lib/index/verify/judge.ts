import { readMany } from '../../dynamodb/batch.ts';
import { env, required } from '../../env.ts';
import { collectionOf } from '../../records/collections.ts';
import { toRecord } from '../../records/item.ts';
import { type CollectionRef, recordKey } from '../../records/keys.ts';
import { changeEntries, type Entry, entriesOf } from '../entries.ts';
import type { ItemKey } from '../keys.ts';
import { type NamedItem, nameOf } from '../maintain.ts';
import { chunkSize } from '../sets/chunk.ts';
import { type ItemContent, readContent } from '../sets/itemContent.ts';
import { type Differences, isRight, positionsIn } from './differences.ts';
import { isMarkWrong } from './markDifferences.ts';
import { partsOf } from './parts.ts';

/** What is wrong of differences. */
export interface Judged extends Differences {
  /** How many positions differ whose records have changed lately: the index may only be late. */
  late: number;
}

/**
 * Leaves of differences only what is wrong. It reads the items, and after that their records. A record that changed long ago must
 * be in the index as it is; the index may still be about to follow the change of any other.
 * @param changedBefore records that have changed since this time are not judged, RFC 3339
 */
export async function judge(differences: Differences, changedBefore: string): Promise<Judged> {
  const { ref, items, marks } = differences;
  const wrong: NamedItem[] = [];
  let late = 0;
  for (const part of partsOf(items)) {
    const still = await stillDiffering(ref, part);
    const judged = still.flatMap((item) =>
      keep(item, (position) => (item.changedAt.get(position) ?? '') < changedBefore),
    );
    wrong.push(...judged);
    late += positionsIn(still) - positionsIn(judged);
  }
  return {
    ...differences,
    items: wrong,
    marks: marks.filter((mark) => isMarkWrong(mark, changedBefore)),
    late,
  };
}

/** An item, and when the records at its positions changed; records that do not exist have no time. */
interface DifferingItem extends NamedItem {
  changedAt: ReadonlyMap<number, string>;
}

async function stillDiffering(ref: CollectionRef, items: readonly NamedItem[]): Promise<DifferingItem[]> {
  const stored = await readMany(
    required(env.indexTable),
    items.map(({ key }) => ({ ...key })),
  );
  const contents = new Map(stored.map((item) => [nameOf(item as unknown as ItemKey), item.members]));
  const { entries, changedAt } = await readTruth(
    ref,
    new Set(items.flatMap(({ evaluated, added }) => [...evaluated, ...added.keys()])),
  );
  return items.flatMap((item) => {
    const name = nameOf(item.key);
    const content = readContent(item, contents.get(name) as Uint8Array | undefined);
    return keep({ ...item, changedAt }, (position) =>
      isDifferent(item, position, content, entries.get(`${position} ${name}`)),
    );
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

/** The entries of records, by position and by the name of the item, and when the records changed. */
async function readTruth(
  ref: CollectionRef,
  positions: ReadonlySet<number>,
): Promise<{ entries: Map<string, Entry>; changedAt: Map<number, string> }> {
  const collection = collectionOf(ref.type);
  const entries = new Map<string, Entry>();
  const changedAt = new Map<number, string>();
  const stored = await readMany(
    required(env.recordsTable),
    [...positions].map((position) => recordKey(ref, position)),
  );
  for (const item of stored) {
    const [position, record] = [Number(item.sk), toRecord(collection, item)];
    changedAt.set(position, record.updated_at);
    for (const entry of [
      ...entriesOf(collection, ref.account, position, record),
      ...changeEntries(ref, position, record),
    ])
      entries.set(`${position} ${nameOf(entry.key)}`, entry);
  }
  return { entries, changedAt };
}
