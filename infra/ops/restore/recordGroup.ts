import type { Action } from '../../../lib/dynamodb/transact.ts';
import { pointerKey } from '../../../lib/records/keys.ts';
import { number, putInPlaceOf, unchanged } from './conditions.ts';
import { holderOf } from './externalIds.ts';
import { lastNotifiedVersion } from './lastNotifiedVersion.ts';
import type { ItemCollection } from './recordKinds.ts';
import { externalIdOf, itemAfterLoss, nextItem } from './recordState.ts';
import type { Item, Restoration } from './restoration.ts';

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

/** The transaction that brings back a group, with its external ids. */
export async function actionsFor(
  restoration: Restoration,
  itemCollection: ItemCollection,
  members: readonly Member[],
): Promise<Action[]> {
  const wanted = new Set(members.map(({ restored }) => externalIdOf(restored)));
  const perMember = await Promise.all(
    members.map(async (member) => [
      await putRecord(restoration, itemCollection, member),
      ...putPointer(restoration, itemCollection, member),
      ...(wanted.has(externalIdOf(member.living))
        ? []
        : await freePointer(restoration, itemCollection, member)),
    ]),
  );
  return perMember.flat();
}

async function putRecord(
  { job: { to } }: Restoration,
  { ref, collection }: ItemCollection,
  { restored, living }: Member,
): Promise<Action> {
  if (living)
    return putInPlaceOf(to, living, nextItem(collection, restored, living), ['id', 'version', 'stated_at']);
  const { id, sk, version } = restored;
  const record = { id: id as string, position: Number(sk), version: number(version) };
  const notified = await lastNotifiedVersion(ref, record);
  return putInPlaceOf(to, undefined, itemAfterLoss(restored, notified));
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
