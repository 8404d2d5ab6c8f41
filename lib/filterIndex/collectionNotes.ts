import { is } from '../dynamodb/expressions.ts';
import { queryPages } from '../dynamodb/query.ts';
import { index } from '../dynamodb/tables.ts';
import { writePut } from '../dynamodb/transact.ts';
import type { CollectionRef } from '../records/recordKeys.ts';
import { isResource } from '../resources/index.ts';
import { collectionNote, collectionsPartition } from './indexKeys.ts';

// Finding all collections would need a scan of the Records table. So each collection is noted when its first record is indexed.

export async function noteCollection(ref: CollectionRef): Promise<void> {
  await writePut(index.put(collectionNote(ref)));
}

/** Yields the noted collections in the order of their keys. @param from the first of them; without it, all */
export async function* notedCollections(from?: CollectionRef): AsyncGenerator<CollectionRef> {
  const sk = from && is('>=', collectionNote(from).sk);
  const pages = queryPages(index.where({ pk: collectionsPartition, sk }));
  for await (const items of pages)
    for (const { sk } of items) {
      const [account = '', type] = String(sk).split('#');
      if (isResource(type)) yield { account, type };
    }
}
