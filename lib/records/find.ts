import { readMany } from './batch.ts';
import type { Collection, Stored } from './collection.ts';
import { toRecord } from './item.ts';
import { pointerKey, recordKey } from './keys.ts';
import { positionOf } from './position.ts';

/** The records of an account that have one of these external ids, at most 100, by that id. Strongly consistent. */
export async function findByExternalId<R extends Stored>(
  collection: Collection<R>,
  account: string,
  externalIds: readonly string[],
): Promise<Map<string, R>> {
  const place = { account, type: collection.type };
  const pointers = await readMany(externalIds.map((externalId) => pointerKey(place, externalId)));
  const positions = pointers.map(({ id }) => positionOf(collection.prefix, id as string) as number);
  const items = await readMany(positions.map((position) => recordKey(place, position)));
  const records = items.map((item) => toRecord(collection, item));
  return new Map(records.map((record) => [record.external_id as string, record]));
}
