import type { Change } from '../contract/changes.ts';
import { isResource } from '../contract/eventTypes.ts';
import { readMany } from '../dynamodb/batch.ts';
import { env, required } from '../env.ts';
import { collectionOf } from '../records/collections.ts';
import { toRecord } from '../records/item.ts';
import { recordKey } from '../records/keys.ts';
import { positionOf } from '../records/position.ts';

type Key = ReturnType<typeof recordKey>;

/**
 * Changes, each with its record as it is now. The key has the scope of each record, because it may read the change. A change of a
 * webhook subscription has no record. Strongly consistent: a record is never older than its change.
 */
export async function withRecords(account: string, changes: readonly Change[]): Promise<Change[]> {
  const keys = new Map(
    changes.flatMap(({ resource: { type, id } }): [string, Key][] => {
      if (!isResource(type)) return [];
      const position = positionOf(collectionOf(type).prefix, id);
      return position === undefined ? [] : [[id, recordKey({ account, type }, position)]];
    }),
  );
  const items = await readMany(required(env.recordsTable), [...keys.values()]);
  const byId = new Map(items.map((item) => [item.id as string, item]));
  return changes.map((change) => {
    const { type, id } = change.resource;
    const item = byId.get(id);
    const record = item && isResource(type) ? toRecord(collectionOf(type), item) : null;
    return { ...change, record: record as Change['record'] & object };
  });
}
