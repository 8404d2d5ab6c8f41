import { absent, plus } from '../../dynamodb/expressions.ts';
import { emptyAnswer, hasAnswer } from '../../dynamodb/idempotency.ts';
import { records } from '../../dynamodb/tables.ts';
import { transact, write } from '../../dynamodb/transact.ts';
import { latest } from '../item.ts';
import { type CollectionRef, noteKey, pointerKey } from '../keys.ts';
import type { Item } from '../range.ts';
import { type DeletedBy, deletionTime, type NameAsRead, nameAsRead, noteOf, putNote } from '../source.ts';
import { countDeleted, noteDeletions, readChunk } from './deletedSet.ts';
import { hideEvents } from './redaction.ts';
import { type Tombstone, tombstoneOf } from './tombstone.ts';

export interface Deleting extends DeletedBy {
  /** The name by which your app deletes it, with its item as it was read; without it, the name that the record has. */
  named?: NameAsRead | undefined;
  target?: Item | undefined;
}

/**
 * Deletes a record as it was read. One transaction leaves a tombstone at its place, adds the place to the set of the deleted ones, counts
 * it, frees the external id, notes the deletion at the name of the record, empties the kept answer of the create, and hides the content of
 * its events.
 * @returns undefined when something has changed since it was read
 */
export async function deleteAsRead(
  ref: CollectionRef,
  item: Item,
  { named, target, ...by }: Deleting,
): Promise<Tombstone | undefined> {
  const { account } = ref;
  const { pk, sk, id, version, created_at, updated_at, external_id, source_id, kept_answer } = item as Item &
    StoredItem;
  const [name, chunk, hasKept] = await Promise.all([
    named ?? nameAsRead(noteKey(ref, source_id, external_id)),
    readChunk(ref, Number(sk)),
    kept_answer !== undefined && hasAnswer(records, account, kept_answer),
  ]);
  if (chunk.isNew) await write(noteDeletions(ref));
  const at = latest(updated_at, deletionTime(name?.read));
  const { origin } = by;
  const tombstone = {
    ...{ pk, sk, id, version: version + 1, created_at, updated_at: at, deleted_at: at, origin },
    merged_into: target?.id,
  };
  const { committed } = await transact([
    records.put(tombstone, { if: { id, version, source_id, revision: item.revision, deleted_at: absent } }),
    chunk.add,
    countDeleted(ref, plus(1)),
    hideEvents(account, id, version),
    ...(external_id === undefined ? [] : [records.delete(pointerKey(ref, external_id))]),
    ...(name ? [putNote(name, noteOf(at, by, name.read, item))] : []),
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
