import type { Origin } from '../../contract/origin.ts';
import { absent, plus } from '../../dynamodb/expressions.ts';
import { emptyAnswer, hasAnswer } from '../../dynamodb/idempotency.ts';
import { records } from '../../dynamodb/tables.ts';
import { transact, write } from '../../dynamodb/transact.ts';
import { latest } from '../item.ts';
import { type CollectionRef, pointerKey, sourceKey } from '../keys.ts';
import type { Item } from '../range.ts';
import { putGone, type SourceItem } from '../source.ts';
import { countDeleted, noteDeletions, readChunk } from './deletedSet.ts';
import { hideEvents } from './redaction.ts';
import { type Tombstone, tombstoneOf } from './tombstone.ts';

export interface Deleting {
  origin: Origin;
  /** The highest revision of the row that the product has stated when it deletes it. */
  revision?: number | undefined;
  /** The key of the product's by which the row is found gone, with its item as it was read; without it, the source id of the record. */
  named?: { key: ReturnType<typeof sourceKey>; read: SourceItem | undefined } | undefined;
  target?: Item | undefined;
}

/**
 * Deletes a record as it was read. One transaction leaves a tombstone at its place, adds the place to the set of the deleted ones, counts
 * it, frees the external id, notes that the row of the product is gone, empties the kept answer of the create, and hides the content of its
 * events.
 * @returns undefined when something has changed since it was read
 */
export async function deleteAsRead(
  ref: CollectionRef,
  item: Item,
  { origin, revision, named, target }: Deleting,
): Promise<Tombstone | undefined> {
  const { account } = ref;
  const { pk, sk, id, version, created_at, updated_at, external_id, source_id, kept_answer } = item as Item &
    StoredItem;
  const [chunk, hasKept] = await Promise.all([
    readChunk(ref, Number(sk)),
    kept_answer !== undefined && hasAnswer(records, account, kept_answer),
  ]);
  if (chunk.isNew) await write(noteDeletions(ref));
  const at = latest(updated_at, new Date().toISOString());
  const tombstone = {
    ...{ pk, sk, id, version: version + 1, created_at, updated_at: at, deleted_at: at, origin },
    merged_into: target?.id,
  };
  const row =
    named ?? (source_id === undefined ? undefined : { key: sourceKey(ref, source_id), read: { id } });
  const { committed } = await transact([
    records.put(tombstone, { if: { id, version, source_id, revision: item.revision, deleted_at: absent } }),
    chunk.add,
    countDeleted(ref, plus(1)),
    hideEvents(account, id, version),
    ...(external_id === undefined ? [] : [records.delete(pointerKey(ref, external_id))]),
    ...(row ? [putGone(row.key, { id, ...goneNow(at, origin, revision, item.revision) }, row.read)] : []),
    ...(kept_answer !== undefined && hasKept ? [emptyAnswer(records, account, kept_answer)] : []),
    ...(target
      ? [
          records.check(
            { pk: target.pk as string, sk: target.sk as string },
            { id: target.id, deleted_at: absent },
          ),
        ]
      : []),
  ]);
  return committed ? tombstoneOf(tombstone) : undefined;
}

interface StoredItem {
  pk: string;
  sk: string;
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
  external_id?: string;
  source_id?: string;
  kept_answer?: string;
}

/** Notes that a row is gone. @param last the highest revision that the record has had */
export const goneNow = (
  at: string,
  origin: Origin,
  revision: number | undefined,
  last?: unknown,
): SourceItem => ({
  gone_at: at,
  gone_revision: revision ?? (last as number | undefined),
  back_by: origin.kind !== 'product' ? undefined : revision === undefined ? 'time' : 'revision',
});
