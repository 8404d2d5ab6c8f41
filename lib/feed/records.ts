import { batchesOf } from '../concurrency.ts';
import type { Change } from '../contract/changes.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { toRecord } from '../records/item.ts';
import { recordKey } from '../records/keys.ts';
import { positionOf } from '../records/position.ts';
import { collectionOf } from '../resources/collections.ts';
import { isResource } from '../resources/index.ts';

/** How many records one read has: when they are large, it takes a part of the time of a call. */
const readsAtOnce = 25;

/**
 * Changes, each of a record with the record as it is now. Whoever may read the change may read the record. They must have been read
 * before: so no record is older than its change.
 */
export async function withRecords(account: string, changes: readonly Change[]): Promise<Change[]> {
  const keys = new Map(
    changes.flatMap(({ resource: { type, id } }) => {
      if (!isResource(type)) return [];
      const position = positionOf(collectionOf(type).prefix, id);
      return position === undefined ? [] : [[id, recordKey({ account, type }, position)] as const];
    }),
  );
  const reads = batchesOf([...keys.values()], readsAtOnce).map((some) => readItems(records, some));
  const items = (await Promise.all(reads)).flat();
  const byId = new Map(items.map((item) => [item.id, item]));
  return changes.map((change) => {
    const { type, id } = change.resource;
    const item = byId.get(id);
    return item && isResource(type) ? { ...change, [type]: toRecord(collectionOf(type), item) } : change;
  });
}
