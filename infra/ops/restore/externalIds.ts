import type { Action } from '../../../lib/dynamodb/transact.ts';
import type { CollectionRef } from '../../../lib/records/keys.ts';
import { pointerKey, recordKey } from '../../../lib/records/keys.ts';
import { positionOf } from '../../../lib/records/position.ts';
import type { Collection, Stored } from '../../../lib/resources/collection.ts';
import { type Item, type Plan, putInPlaceOf, type Restoration, unchanged } from './restoration.ts';

/** Where an item of the Records table belongs. */
export interface ItemCollection {
  ref: CollectionRef;
  collection: Collection<Stored>;
}

export const externalIdOf = (item: Item | undefined): string | null =>
  (item?.external_id as string | undefined) ?? null;

/** The living record with an id; undefined when there is none, or the id is invalid. */
async function livingRecord(
  restoration: Restoration,
  { ref, collection }: ItemCollection,
  id: unknown,
): Promise<Item | undefined> {
  const position = typeof id === 'string' ? positionOf(collection.prefix, id) : undefined;
  const item = position === undefined ? undefined : await restoration.living(recordKey(ref, position));
  return item?.id === id ? item : undefined;
}

/** The item that names the record of an external id, and that record if it really has the external id. */
async function holderOf(
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
  itemCollection: ItemCollection,
  restored: Item,
  living: Item | undefined,
): Promise<Plan> {
  if (living?.id === restored.id) return 'same';
  const { to } = restoration.job;
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

/** A record to bring back, with the living item at its position and the item of its external id. */
export interface Member {
  restored: Item;
  living: Item | undefined;
  pointer: Item | undefined;
}

/** This many records, with three actions each, fit into a transaction. */
const membersMax = 30;

/**
 * The records that must come back together with a record, because each returns its external id to the one before it. So
 * an external id never belongs to two records or to none.
 * @param isNewer whether a living record must not be changed
 * @returns undefined when the external id belongs to a record that keeps it
 */
export async function groupOf(
  restoration: Restoration,
  itemCollection: ItemCollection,
  first: Pick<Member, 'restored' | 'living'>,
  isNewer: (living: Item) => boolean,
): Promise<Member[] | undefined> {
  const members: Member[] = [];
  for (let next = first; members.length < membersMax; ) {
    const wanted = externalIdOf(next.restored);
    const { pointer, holder } =
      wanted === null
        ? { pointer: undefined, holder: undefined }
        : await holderOf(restoration, itemCollection, wanted);
    members.push({ ...next, pointer });
    if (!holder || members.some(({ restored }) => restored.id === holder.id)) return members;
    const restored = await restoration.restored({ pk: holder.pk as string, sk: holder.sk as string });
    const givesItAway = restored?.id === holder.id && externalIdOf(restored) !== wanted;
    if (!restored || !givesItAway || isNewer(holder)) return undefined;
    next = { restored, living: holder };
  }
  return undefined;
}

/** The actions that give a group its external ids. */
export async function externalIdActions(
  restoration: Restoration,
  itemCollection: ItemCollection,
  members: readonly Member[],
): Promise<Action[]> {
  const wanted = new Set(members.map(({ restored }) => externalIdOf(restored)));
  const perMember = await Promise.all(
    members.map(async (member) => [
      ...putPointer(restoration, itemCollection, member),
      ...(wanted.has(externalIdOf(member.living))
        ? []
        : await freePointer(restoration, itemCollection, member)),
    ]),
  );
  return perMember.flat();
}

function putPointer(
  { job: { to } }: Restoration,
  { ref }: ItemCollection,
  { restored, pointer }: Member,
): Action[] {
  const externalId = externalIdOf(restored);
  if (externalId === null || pointer?.id === restored.id) return [];
  return [putInPlaceOf(to, pointer, { ...pointerKey(ref, externalId), id: restored.id }, ['id'])];
}

/** Frees the external id that a record has now and did not have before, unless another record owns it by now. */
async function freePointer(
  restoration: Restoration,
  { ref }: ItemCollection,
  { restored, living }: Member,
): Promise<Action[]> {
  const externalId = externalIdOf(living);
  if (externalId === null) return [];
  const Key = pointerKey(ref, externalId);
  const pointer = await restoration.living(Key);
  if (pointer?.id !== restored.id) return [];
  return [{ Delete: { TableName: restoration.job.to, Key, ...unchanged(pointer, ['id']) } }];
}
