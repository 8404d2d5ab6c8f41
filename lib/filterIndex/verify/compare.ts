import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { nameOf } from '../../dynamodb/item.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { index, records } from '../../dynamodb/tables.ts';
import { readCount } from '../../records/counter.ts';
import { isDeleted, toRecord } from '../../records/recordItem.ts';
import { type CollectionRef, recordKey } from '../../records/recordKeys.ts';
import { chunkSize } from '../../records/sets/chunk.ts';
import type { Stored } from '../../resources/collection.ts';
import { collectionOf } from '../../resources/collections.ts';
import { indexEntriesOf, updated } from '../indexEntries.ts';
import { type ItemKey, type ItemSubject, subjectOf } from '../indexKeys.ts';
import { readContent } from '../sets/itemContent.ts';
import { noDeletions } from './deletions.ts';
import { type Differences, differencesOf, recordsAtOnce } from './differences.ts';

/** Where a comparison begins. It first compares all records with the index, and then the items of the index with the records. */
export type ComparisonStart =
  | { part: 'records'; from?: { ref: CollectionRef; chunk: number } | undefined }
  | { part: 'items'; from?: Record<string, unknown> | undefined };

/** The result of a step: how many records were compared, and how many items of the index were checked. */
interface Compared {
  differences: Differences[];
  records: number;
  checked: number;
  /** Where the comparison continues; undefined at its end. */
  next: ComparisonStart | undefined;
}

/**
 * Compares the index with the records, in steps of a chunk of records or a thousand items.
 * @param collections the collections to compare, from the first one on
 * @param account compares only items of this account; all if undefined
 */
export async function* compareIndex(
  start: ComparisonStart,
  collections: Iterable<CollectionRef> | AsyncIterable<CollectionRef>,
  account?: string,
): AsyncGenerator<Compared> {
  if (start.part === 'records') {
    const { from } = start;
    for await (const ref of collections) {
      const count = await readCount(ref);
      const isFirst = from?.ref.account === ref.account && from.ref.type === ref.type;
      for (let chunk = isFirst ? from.chunk : 0; chunk * chunkSize < count; chunk++) {
        const found = await differencesOf(ref, chunk, count);
        const records = Math.min(chunkSize, count - chunk * chunkSize);
        const next: ComparisonStart = { part: 'records', from: { ref, chunk: chunk + 1 } };
        yield { differences: [found], records, checked: found.checked, next };
      }
    }
  }
  let from = start.part === 'items' ? start.from : undefined;
  do {
    const { next, ...found } = await staleItems(from, account);
    yield { ...found, records: 0, next: next && { part: 'items', from: next } };
    from = next;
  } while (from);
}

/** How many items are read at once. Each may have 6,400 positions. */
const itemsAtOnce = 1000;

interface ScannedItem {
  key: ItemKey;
  subject: ItemSubject;
  /** At least one position. */
  positions: number[];
}

/**
 * Finds items that no record names any longer. `differencesOf` misses them, because it begins with the records. Of each item, one record is
 * read. If that record names the item, the item is compared with its chunk.
 * @returns `next`: where the next part begins; undefined at the end of the table
 */
async function staleItems(from?: Record<string, unknown>, account?: string) {
  const { Items = [], LastEvaluatedKey } = await dynamodb().send(
    new ScanCommand({
      TableName: index.name,
      Limit: itemsAtOnce,
      FilterExpression: `attribute_exists(members)${account === undefined ? '' : ' AND begins_with(pk, :account)'}`,
      ...(account === undefined ? {} : { ExpressionAttributeValues: { ':account': `${account}#` } }),
      ExclusiveStartKey: from,
    }),
  );
  const items = Items.flatMap((item) => toScanned(item as ItemKey & { members: Uint8Array }) ?? []);
  const suspects = await unnamed(items, ({ positions }) => positions.slice(0, 1));
  const stale: ScannedItem[] = [];
  for (const suspect of suspects) if (await isStale(suspect)) stale.push(suspect);
  const byCollection = Map.groupBy(stale, ({ subject: { ref } }) => `${ref.account}#${ref.type}`);
  return {
    checked: items.length,
    differences: [...byCollection.values()].map(
      (group): Differences => ({
        ref: (group[0] as ScannedItem).subject.ref,
        checked: 0,
        items: group.map(({ key, subject: { isHour }, positions }) => ({
          key,
          isHour,
          toEvaluate: new Set(positions),
          added: new Map(),
        })),
        deletions: noDeletions,
      }),
    ),
    next: LastEvaluatedKey,
  };
}

/** Returns undefined for an item without positions, for one that only grows, and for one of a field that this release does not have. */
function toScanned({ pk, sk, members }: ItemKey & { members: Uint8Array }): ScannedItem | undefined {
  const subject = subjectOf({ pk, sk });
  if (!subject || subject.field === updated) return undefined;
  const { values, times } = collectionOf(subject.ref.type).filters;
  if (![...values, ...times].some(({ name }) => name === subject.field)) return undefined;
  const positions = [
    ...readContent({ key: { pk, sk }, isHour: subject.isHour }, members).members().keys(),
  ].map((at) => subject.chunk * chunkSize + at);
  return positions.length === 0 ? undefined : { key: { pk, sk }, subject, positions };
}

/** Returns whether none of the records at the item's positions still has its value. */
async function isStale(item: ScannedItem): Promise<boolean> {
  for (let at = 0; at < item.positions.length; at += recordsAtOnce) {
    const positions = item.positions.slice(at, at + recordsAtOnce);
    if ((await unnamed([item], () => positions)).length === 0) return false;
  }
  return true;
}

async function unnamed(
  items: readonly ScannedItem[],
  positionsOf: (item: ScannedItem) => readonly number[],
): Promise<ScannedItem[]> {
  const asked = new Map<string, { ref: CollectionRef; position: number }>();
  const nameAt = ({ account, type }: CollectionRef, position: number) => `${account}#${type} ${position}`;
  for (const item of items)
    for (const position of positionsOf(item))
      asked.set(nameAt(item.subject.ref, position), { ref: item.subject.ref, position });
  const stored = await readItems(
    records,
    [...asked.values()].map(({ ref, position }) => recordKey(ref, position)),
    { consistent: false },
  );
  const named = new Set(
    stored.flatMap((item) => {
      if (isDeleted(item)) return [];
      const [account = '', type] = String(item.pk).split('#');
      const ref = { account, type: type as CollectionRef['type'] };
      const record: Stored = toRecord(collectionOf(ref.type), item);
      return indexEntriesOf(ref, Number(item.sk), record).map(({ key }) => nameOf(key));
    }),
  );
  return items.filter(({ key }) => !named.has(nameOf(key)));
}
