import type { Origin } from '../../contract/origin.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent } from '../../dynamodb/expressions.ts';
import type { Item } from '../../dynamodb/item.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { livingEnd, readById } from '../get.ts';
import { isDeleted, type Tombstone, tombstoneOf } from '../recordItem.ts';
import { type CollectionRef, noteKey, pointerKey, sourceKey } from '../recordKeys.ts';
import { type Refused, rejected } from '../refusals.ts';
import { hasRecord, type NameAsRead, nameAsRead, noteOf, putNote, readSource } from '../source.ts';
import { decideDeletion } from './decide.ts';
import { deleteAsRead, deletionTime } from './deleteRecord.ts';

/** How a deletion names a record: by your app's id of the row, by its external id, or by its id here. */
export interface RecordNames {
  sourceId?: string | undefined;
  externalId?: string | undefined;
  recordId?: string | undefined;
}

export interface Deletion extends RecordNames {
  /** Your app's revision, which is higher than every revision of the row. */
  revision?: number | undefined;
  /** When your app deleted its row, RFC 3339 UTC; undefined if this time is ahead of the clock. */
  rowDeletedAt?: string | undefined;
  /** The time of a deletion of the name that your app already knew, RFC 3339 UTC. This deletion is a later one. */
  knownDeletion?: string | undefined;
  /** The record that replaces it, and the revision with which the row of that record began. */
  mergedInto?: (RecordNames & { firstRevision?: number | undefined }) | undefined;
}

export interface DeletionOptions {
  origin: Origin;
  deadline: number;
  /** Whether the record that it was merged into may still arrive. */
  waits?: boolean;
}

/**
 * The result of a deletion. `unchanged`: the deletion was made before, or it is noted for late messages. `waiting`: the record that it was
 * merged into is not known yet.
 */
export type DeletionResult =
  | ({ kind: 'deleted' } & Tombstone)
  | ({ kind: 'unchanged' } & Partial<Tombstone>)
  | { kind: 'waiting' }
  | Refused;

/** Deletes a record. A repeated deletion has no effect, and a deletion that arrives before its record is noted. */
export const deleteNamed = (
  ref: CollectionRef,
  deletion: Deletion,
  options: DeletionOptions,
): Promise<DeletionResult> => untilCommitted(options.deadline, () => tryToDelete(ref, deletion, options));

/** @returns undefined if others were faster */
async function tryToDelete(
  ref: CollectionRef,
  deletion: Deletion,
  { origin, waits = false }: DeletionOptions,
): Promise<DeletionResult | undefined> {
  const { sourceId, externalId, recordId, mergedInto } = deletion;
  const by = { origin, revision: deletion.revision, rowDeletedAt: deletion.rowDeletedAt };
  const [name, ofId] = await Promise.all([
    nameAsRead(noteKey(ref, sourceId, externalId)),
    recordId === undefined ? undefined : readById(ref, recordId),
  ]);
  const at = name?.read;
  let record = await living(
    ref,
    sourceId === undefined ? await idOf(ref, externalId) : at && hasRecord(at) ? at.id : undefined,
  );
  if (ofId && !isDeleted(ofId) && ofId.id !== record?.id) {
    // A client's record that lost the external id, or whose link to the source id is in progress. The row may be another one by now.
    const isUnlinked = sourceId !== undefined && ofId.source_id === undefined;
    if (!record && (!at || sourceId === undefined)) record = ofId;
    else if (isUnlinked && !(await deleteAsRead(ref, ofId, by))) return undefined;
  }
  const order = { ...by, rowAt: by.rowDeletedAt, knownDeletion: deletion.knownDeletion };
  let decision = decideDeletion(
    { ...order, id: recordId, sourceId, isNamed: name !== undefined },
    { at, record, ofId },
  );
  const isMade = ['delete', 'note', 'raise'].includes(decision);
  const target =
    mergedInto && isMade
      ? await targetOf(ref, { sourceId, externalId, recordId: record?.id as string | undefined }, mergedInto)
      : undefined;
  if (target === 'itself') decision = 'contradiction';
  switch (decision) {
    case 'ignore':
      if (isDeleted(ofId)) return { kind: 'unchanged', ...tombstoneOf(ofId as Item) };
      return { kind: 'unchanged', ...(at?.deleted_at === undefined ? {} : { deletedAt: at.deleted_at }) };
    case 'note':
    case 'raise': {
      const deleted_at = deletionTime(at);
      const noted = await transact([
        putNote(name as NameAsRead, decision === 'note' ? noteOf(deleted_at, by, at) : { deleted_at }),
        // A create under the external id that did not see the note was committed before it.
        ...(sourceId === undefined
          ? [records.check(pointerKey(ref, externalId as string), { pk: absent })]
          : []),
      ]);
      return noted.committed ? { kind: 'unchanged', deletedAt: deleted_at } : undefined;
    }
    case 'delete': {
      if (target === 'unknown' && waits) return { kind: 'waiting' };
      const deleted = await deleteAsRead(ref, record as Item, {
        ...by,
        named: name,
        target: typeof target === 'object' ? target : undefined,
      });
      return deleted && { kind: 'deleted', ...deleted };
    }
    default:
      return rejected(ref, decision, at);
  }
}

async function living(ref: CollectionRef, id: string | undefined): Promise<Item | undefined> {
  const item = id === undefined ? undefined : await readById(ref, id);
  return isDeleted(item) ? undefined : item;
}

const idOf = async (ref: CollectionRef, externalId: string | undefined): Promise<string | undefined> =>
  externalId === undefined
    ? undefined
    : (await readItem<{ id: string }>(records, pointerKey(ref, externalId)))?.id;

/**
 * Returns the living record into which a record is merged: the named record, or the one into which that record was merged.
 * @returns undefined if there is none; `unknown` if it has not arrived yet; `itself` if it is the record
 */
async function targetOf(
  ref: CollectionRef,
  self: RecordNames,
  { firstRevision, ...named }: NonNullable<Deletion['mergedInto']>,
): Promise<Item | undefined | 'unknown' | 'itself'> {
  const { sourceId, externalId, recordId } = named;
  if (
    sourceId === undefined
      ? externalId !== undefined && externalId === self.externalId
      : sourceId === self.sourceId
  )
    return 'itself';
  const row = sourceId === undefined ? undefined : await readSource(sourceKey(ref, sourceId));
  const last = row && !hasRecord(row) ? (row.deleted_revision ?? row.last_revision ?? 0) : undefined;
  if (sourceId !== undefined && (!row || isBefore(last, firstRevision))) return 'unknown';
  const id = row?.id ?? recordId ?? (await idOf(ref, externalId));
  const item = id === undefined ? undefined : await readById(ref, id);
  if (!item) return row ? undefined : 'unknown';
  if (!isDeleted(item) && isBefore(item.revision, firstRevision)) return 'unknown';
  const end = isDeleted(item) ? await livingEnd(ref, item) : item;
  return end !== undefined && end.id === self.recordId ? 'itself' : end;
}

/** Returns whether a revision belongs to an earlier row than the one that began with `firstRevision`. */
const isBefore = (revision: unknown, firstRevision: number | undefined): boolean =>
  firstRevision !== undefined && typeof revision === 'number' && revision < firstRevision;
