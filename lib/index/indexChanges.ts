import { describeError, log } from '../log.ts';
import type { StreamedChange } from '../records/change.ts';
import { collectionOf } from '../records/collections.ts';
import { isOfRecord, type Streamed } from '../records/streamed.ts';
import { noteCollection } from './collectionNotes.ts';
import { markCreated } from './created/createdMarks.ts';
import { changeEntries, differingEntries, type Entry } from './entries.ts';
import { nameOf } from './keys.ts';
import { maintain, type NamedItem } from './maintain.ts';
import { collectionSource } from './truth.ts';
import { noteIfLate } from './updated/late.ts';

/**
 * Brings the index up to date with changes of records. Notices are passed over. A change only names items: those that the record left, and those that it
 * came into. So changes may be told twice, late and in any order.
 * @param deadline epoch milliseconds
 * @returns the sequence numbers of the changes that the stream has to hand over again
 */
export async function indexChanges(changes: readonly Streamed[], deadline: number): Promise<string[]> {
  const groups = Map.groupBy(changes.filter(isOfRecord), ({ account, type }) => `${account}#${type}`);
  const left = await Promise.all([...groups.values()].map((group) => indexGroup(group, deadline)));
  return left.flat();
}

/** The changes of one collection. @returns the sequence numbers of those that are not in the index at the deadline */
async function indexGroup(changes: readonly StreamedChange[], deadline: number): Promise<string[]> {
  const [{ account, type }] = changes as [StreamedChange, ...StreamedChange[]];
  try {
    await noteIfLate({ account, type }, changes);
    const items = namedItems(changes);
    const [left] = await Promise.all([
      maintain(collectionSource(collectionOf(type), account), [...items.keys()], deadline),
      markCreated({ account, type }, changes),
      ...(changes.some(({ position }) => position === 0) ? [noteCollection({ account, type })] : []),
    ]);
    return [...new Set(left.flatMap((item) => [...(items.get(item) ?? [])]))];
  } catch (error) {
    log.error('changes were not indexed', { account, error: describeError(error) });
    return changes.map(({ sequenceNumber }) => sequenceNumber);
  }
}

/** The items that changes name, each with the sequence numbers of these changes. */
function namedItems(changes: readonly StreamedChange[]): Map<NamedItem, Set<string>> {
  const items = new Map<string, NamedItem>();
  const namedBy = new Map<NamedItem, Set<string>>();
  const itemOf = ({ key, ms }: Entry, sequenceNumber: string): NamedItem => {
    const name = nameOf(key);
    const item = items.get(name) ?? { key, isLeaf: ms !== undefined, evaluated: new Set(), added: new Map() };
    items.set(name, item);
    namedBy.set(item, (namedBy.get(item) ?? new Set()).add(sequenceNumber));
    return item;
  };
  for (const { account, type, before, after, position, sequenceNumber } of changes) {
    for (const entry of differingEntries(collectionOf(type), account, position, { before, after }))
      itemOf(entry, sequenceNumber).evaluated.add(position);
    for (const entry of changeEntries({ account, type }, position, after)) {
      const { added } = itemOf(entry, sequenceNumber);
      if ((added.get(position) ?? -1) < (entry.ms ?? 0)) added.set(position, entry.ms);
    }
  }
  return namedBy;
}
