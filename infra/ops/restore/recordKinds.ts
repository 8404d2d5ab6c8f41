import type { CollectionRef } from '../../../lib/records/keys.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { collectionOf } from '../../../lib/resources/collections.ts';
import { isResource } from '../../../lib/resources/index.ts';
import type { Item } from './restoration.ts';

/** Where an item of the Records table belongs. */
export interface ItemCollection {
  ref: CollectionRef;
  collection: Collection<Stored>;
}

/** The collection of an item; undefined when it has none, such as a kept answer. */
export function itemCollectionOf({ pk }: Item): ItemCollection | undefined {
  const [account = '', type = ''] = String(pk).split('#');
  const collection = isResource(type) ? collectionOf(type) : undefined;
  return collection && { ref: { account, type: collection.type }, collection };
}

/** The kind of an item of the Records table. */
export function kindOfRecordsItem(item: Item): string | undefined {
  const [, type, part] = String(item.pk).split('#');
  if (type === 'idempotency' && item.sk === 'answer') return 'answer';
  if (type === 'erasures') return 'erasure';
  if (type === 'notices') return 'notice';
  if (itemCollectionOf(item) === undefined) return undefined;
  if (part === undefined) return item.sk === 'head' ? 'head' : undefined;
  if (/^\d+$/.test(part)) return 'record';
  if (part === 'external') return 'external_id';
  return part === 'queue' || part === 'outcome' ? 'waiting' : undefined;
}
