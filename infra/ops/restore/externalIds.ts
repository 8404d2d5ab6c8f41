import type { Action } from '../../../lib/dynamodb/transact.ts';
import { pointerKey, recordKey } from '../../../lib/records/keys.ts';
import { positionOf } from '../../../lib/records/position.ts';
import { putInPlaceOf, unchanged } from './conditions.ts';
import { type Belonging, belongingOf } from './recordKinds.ts';
import { externalIdOf } from './recordState.ts';
import type { Item, Plan, Restoration } from './restoration.ts';

/** The living record with an id; undefined when there is none, or it is no id. */
export async function livingRecord(
  restoration: Restoration,
  { place, collection }: Belonging,
  id: unknown,
): Promise<Item | undefined> {
  const position = typeof id === 'string' ? positionOf(collection.prefix, id) : undefined;
  const item = position === undefined ? undefined : await restoration.living(recordKey(place, position));
  return item?.id === id ? item : undefined;
}

/** The item that says which record has an external id, and that record if it does have it. */
export async function holderOf(
  restoration: Restoration,
  belonging: Belonging,
  externalId: string,
): Promise<{ pointer: Item | undefined; holder: Item | undefined }> {
  const pointer = await restoration.living(pointerKey(belonging.place, externalId));
  const record = pointer && (await livingRecord(restoration, belonging, pointer.id));
  return { pointer, holder: externalIdOf(record) === externalId ? record : undefined };
}

/** Brings back what says which record has an external id. Only if it has it: otherwise the record decides when it comes back. */
export async function planExternalId(
  restoration: Restoration,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living?.id === restored.id) return 'same';
  const { to } = restoration.job;
  const belonging = belongingOf(restored) as Belonging;
  const externalId = String(restored.pk).slice(pointerKey(belonging.place, '').pk.length);
  const record = await livingRecord(restoration, belonging, restored.id);
  if (!record || externalIdOf(record) !== externalId) return 'passed_over';
  const { pointer, holder } = await holderOf(restoration, belonging, externalId);
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
