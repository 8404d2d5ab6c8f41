import type { Origin } from '../../contract/origin.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import { packTransaction } from '../../dynamodb/packTransaction.ts';
import { readByKey } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { noteConflict } from '../../logs/metrics.ts';
import { readByIds } from '../get.ts';
import { isDeleted } from '../recordItem.ts';
import { type CollectionRef, noteKey, pointerKey } from '../recordKeys.ts';
import { chunkOf } from '../sets/chunk.ts';
import { isKnown, type SourceItem } from '../source.ts';
import { decideDeletion } from './decide.ts';
import type { Deletion, DeletionOptions, DeletionResult } from './deleteNamed.ts';
import { commitDeletions, prepareDeletion } from './deleteRecord.ts';

// All deletions of a collection write the same chunk and the same count, so separate transactions would wait for each other.

/** The average pause after a conflict at the set, random so that the same two processes do not collide again. */
const conflictPauseMs = 100;

/**
 * Makes the deletions that only delete an existing record, as many in a transaction as fit.
 * @param deletions of different records
 * @returns their results. The other deletions have no result, and neither do those that met a change: `deleteNamed` decides about them
 */
export async function deleteTogether(
  ref: CollectionRef,
  deletions: readonly Deletion[],
  { origin, deadline }: DeletionOptions,
): Promise<Map<Deletion, DeletionResult>> {
  const results = new Map<Deletion, DeletionResult>();
  const plain = deletions.length > 1 ? await plainAmong(ref, deletions, origin) : [];
  let left = await Promise.all(
    plain.map(async ({ deletion, item, deleting }) => ({
      deletion,
      prepared: await prepareDeletion(ref, item, deleting),
    })),
  );
  while (left.length > 0 && Date.now() < deadline) {
    const together = packTransaction(left, {
      actionsOf: ({ prepared }) => prepared.actions.length,
      bytesOf: ({ prepared }) => Buffer.byteLength(JSON.stringify(prepared.actions)),
      commonActions: 1,
      sharedItemsOf: ({ prepared }) => [String(chunkOf(prepared.position))],
    });
    const { committed, refused = [] } = await commitDeletions(
      ref,
      together.map(({ prepared }) => prepared),
    );
    if (committed)
      for (const { deletion, prepared } of together)
        results.set(deletion, { kind: 'deleted', ...prepared.tombstone });
    else {
      noteConflict();
      await pause(conflictPauseMs);
    }
    // A deletion whose own items have changed would make the next transaction fail again.
    const verdicts = [...refused];
    const changed = together.filter(({ prepared }) =>
      verdicts.splice(0, prepared.actions.length).some(({ kind }) => kind === 'refused'),
    );
    left = left.filter((one) => !results.has(one.deletion) && !changed.includes(one));
  }
  return results;
}

/** Returns the deletions without a merge whose record exists under their name. They fail only if the record changes. */
async function plainAmong(ref: CollectionRef, deletions: readonly Deletion[], origin: Origin) {
  const named = deletions.flatMap((deletion) => {
    const { sourceId, externalId, recordId, mergedInto } = deletion;
    const key = mergedInto ? undefined : noteKey(ref, sourceId, externalId);
    if (!key || (sourceId === undefined && recordId !== undefined)) return [];
    return [{ deletion, key, pointer: sourceId === undefined ? pointerKey(ref, externalId as string) : key }];
  });
  const itemAt = await readByKey<SourceItem>(
    records,
    named.flatMap(({ key, pointer }) => [key, pointer]),
  );
  const items = await readByIds(
    ref,
    named.flatMap(({ pointer }) => itemAt(pointer)?.id ?? []),
  );
  return named.flatMap(({ deletion, key, pointer }) => {
    const { sourceId, recordId: id, revision, rowDeletedAt, knownDeletion } = deletion;
    const item = items.get(itemAt(pointer)?.id);
    const isIts = item?.source_id === sourceId && (id === undefined || id === item?.id);
    if (!item || isDeleted(item) || !isIts) return [];
    const at = itemAt(key);
    const known = at && isKnown(at) ? at : undefined;
    const decision = decideDeletion(
      { revision, rowAt: rowDeletedAt, knownDeletion, id, sourceId, isNamed: true },
      { at: known, record: item, ofId: id === undefined ? undefined : item },
    );
    const deleting = { origin, revision, rowDeletedAt, named: { key, read: known } };
    return decision === 'delete' ? [{ deletion, item, deleting }] : [];
  });
}
