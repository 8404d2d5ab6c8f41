import type { Action } from '../../../lib/dynamodb/transact.ts';
import { pointerKey, recordKey } from '../../../lib/records/keys.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { putInPlaceOf, unchanged } from './conditions.ts';
import { type ItemCollection, itemCollectionOf } from './recordKinds.ts';
import { externalIdOf } from './recordState.ts';
import type { Item, Plan, Restoration } from './restoration.ts';

/** The living record with an id; undefined when there is none, or the id is invalid. */
export async function livingRecord(
  restoration: Restoration,
  { ref, collection }: ItemCollection,
  id: unknown,
): Promise<Item | undefined> {
  const position = typeof id === 'string' ? positionOf(collection.prefix, id) : undefined;
  const item = position === undefined ? undefined : await restoration.living(recordKey(ref, position));
  return item?.id === id ? item : undefined;
}

/** The item that names the record of an external id, and that record if it really has the external id. */
export async function holderOf(
  restoration: Restoration,
  itemCollection: ItemCollection,
  externalId: string,
): Promise<{ pointer: Item | undefined; holder: Item | undefined }> {
  const pointer = await restoration.living(pointerKey(itemCollection.ref, externalId));
  const record = pointer && (await livingRecord(restoration, itemCollection, pointer.id));
  return { pointer, holder: externalIdOf(record) === externalId ? record : undefined };
}

/**
 * Brings back the item that names the record of an external id, if that record has the external id. Otherwise the
 * record decides when it comes back.
 */
export async function planExternalId(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living?.id === restored.id) return 'same';
  const { to } = restoration.job;
  const itemCollection = itemCollectionOf(restored) as ItemCollection;
  const externalId = String(restored.pk).slice(pointerKey(itemCollection.ref, '').pk.length);
  const record = await livingRecord(restoration, itemCollection, restored.id);
  if (!record || externalIdOf(record) !== externalId) return 'passed_over';
  const { pointer, holder } = await holderOf(restoration, itemCollection, externalId);
  if (holder) return 'kept';
  const hasIt: Action = {
    ConditionCheck: {
      TableName: to,
      Key: { pk: record.pk, sk: record.sk },
      ...unchanged(record, ['id', 'external_id']),
    },
  };
  return { actions: [hasIt, putInPlaceOf(to, pointer, restored, ['id'])] };
}
