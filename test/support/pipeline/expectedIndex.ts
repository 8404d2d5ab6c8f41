import { env, required } from '../../../lib/env.ts';
import { indexEntriesOf } from '../../../lib/filterIndex/indexEntries.ts';
import { type ItemKey, valueItem } from '../../../lib/filterIndex/indexKeys.ts';
import { decodeLeaf } from '../../../lib/filterIndex/sets/itemContent.ts';
import { listRecords } from '../../../lib/records/listByOffset.ts';
import { inAccount } from '../../../lib/records/recordKeys.ts';
import { decodeBits, membersOf } from '../../../lib/records/sets/chunk.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { contacts } from '../../../lib/resources/contacts.ts';
import { scan } from '../data/scan.ts';

/** What the index says: `<item> <position in the chunk>`, and the milliseconds of a leaf. Without what is only ever added. */
export async function indexed(account: string): Promise<string[]> {
  const said: string[] = [];
  for (const [name, { pk, members }] of await storedIndex(account)) {
    if (members === undefined || String(pk).includes('#updated/')) continue;
    const stored = members as Uint8Array;
    if (String(pk).endsWith('/hour'))
      said.push(...[...decodeLeaf(stored)].map(([at, ms]) => `${name} ${at} ${ms}`));
    else said.push(...membersOf(decodeBits(stored)).map((at) => `${name} ${at}`));
  }
  return said.sort();
}

/** The key of the item that says which contacts have a tag, in the chunk of a position. */
export function tagItem(account: string, tag: string, position: number): ItemKey {
  const field = contacts.filters.values.find(({ name }) => name === 'tag');
  return valueItem({ account, type: 'contact' }, field as never, tag, position);
}

/** What it has to say, by the records as they are now: at most 6,400 of each collection. */
export async function expectedIndex(account: string, ...collections: readonly object[]): Promise<string[]> {
  const truth: string[] = [];
  for (const collection of collections as Collection<Stored>[]) {
    for (let [offset, total] = [0, 1]; offset < total; offset += 100) {
      const { data, pagination } = await listRecords(inAccount(collection, account), { limit: 100, offset });
      total = pagination.total;
      for (const [i, record] of data.entries())
        for (const { key, ms } of indexEntriesOf({ account, type: collection.type }, offset + i, record))
          truth.push(`${key.pk} ${key.sk} ${offset + i}${ms === undefined ? '' : ` ${ms}`}`);
    }
  }
  return truth.sort();
}

/** The items of an account's index, by their keys. @param versions whether with their versions, which each write raises */
export async function storedIndex(
  account: string,
  { versions = false } = {},
): Promise<Map<string, Record<string, unknown>>> {
  const items = await scan(required(env.indexTable), {
    // The feed of changes is in the same table, and notes of late changes say when they were indexed.
    FilterExpression:
      'begins_with(pk, :account) AND NOT contains(pk, :changes) AND NOT contains(pk, :numbered) AND NOT contains(pk, :late)',
    ExpressionAttributeValues: {
      ':account': `${account}#`,
      ':changes': '#changes',
      ':numbered': '#numbered#',
      ':late': '#late',
    },
    ConsistentRead: true,
  });
  return new Map(
    items.map(({ version, ...item }) => [`${item.pk} ${item.sk}`, versions ? { version, ...item } : item]),
  );
}
