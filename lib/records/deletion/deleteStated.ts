import type { Origin } from '../../contract/origin.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { livingEnd, readById } from '../get.ts';
import { type CollectionRef, goneKey, pointerKey, sourceKey } from '../keys.ts';
import type { Item } from '../range.ts';
import { resourceName } from '../refusals.ts';
import { putGone, readSource } from '../source.ts';
import { deleteAsRead, goneNow } from './deleteRecord.ts';
import { isDeleted, type Tombstone, tombstoneOf } from './tombstone.ts';

/** How a deletion names a record: by the product's id of the row, by its external id, or by its id here. */
export interface Named {
  sourceId?: string | undefined;
  externalId?: string | undefined;
  recordId?: string | undefined;
}

export interface Deletion extends Named {
  /** The product's revision, which is higher than all of the row. */
  revision?: number | undefined;
  /** The record that is there in its place, with the revision with which its row began. */
  mergedInto?: (Named & { since?: number | undefined }) | undefined;
}

export interface DeletionOptions {
  origin: Origin;
  deadline: number;
  /** Whether the record that it was merged into may still come. */
  waits?: boolean;
}

/**
 * The result of a deletion. `unchanged`: it was deleted before, or is noted for what comes late. `outdated`: the record was stated later.
 * `waiting`: the record that it was merged into is not known yet.
 */
export type DeletionResult =
  | ({ kind: 'deleted' } & Tombstone)
  | ({ kind: 'unchanged' } & Partial<Tombstone>)
  | { kind: 'outdated' | 'waiting' }
  | { kind: 'refused'; reason: string };

/** Deletes a record. A repetition changes nothing, and one that comes before the record is noted. */
export const deleteStated = (
  ref: CollectionRef,
  deletion: Deletion,
  options: DeletionOptions,
): Promise<DeletionResult> => untilCommitted(options.deadline, () => tryToDelete(ref, deletion, options));

/** @returns undefined when others were faster */
async function tryToDelete(
  ref: CollectionRef,
  deletion: Deletion,
  { origin, waits = false }: DeletionOptions,
): Promise<DeletionResult | undefined> {
  const { recordId, revision } = deletion;
  const key = keyOf(ref, deletion);
  const row = key && (await readSource(key));
  if (recordId !== undefined && row && row.id !== recordId) {
    // The row came back and has another record, or was deleted again, before the one that a client had created was linked to it.
    const other = await readById(ref, recordId);
    if (other && !isDeleted(other) && other.source_id === undefined)
      if (!(await deleteAsRead(ref, other, { origin, revision }))) return undefined;
  }
  const found = await find(ref, deletion, row?.id);
  if (key && row?.gone_at !== undefined && (deletion.sourceId !== undefined || !found)) {
    if (revision === undefined || revision <= (row.gone_revision ?? -1)) return { kind: 'unchanged' };
    const raised = { ...row, gone_revision: revision, back_by: 'revision' as const };
    return (await write(putGone(key, raised, row))).committed ? { kind: 'unchanged' } : undefined;
  }
  if (!found || isDeleted(found)) {
    if (found && !key) return { kind: 'unchanged', ...tombstoneOf(found) };
    if (!key) return { kind: 'refused', reason: `No ${resourceName(ref)} has this id` };
    const note = {
      id: found?.id as string | undefined,
      ...goneNow(new Date().toISOString(), origin, revision),
    };
    if (!(await write(putGone(key, note, row))).committed) return undefined;
    // A create under an external id that has not found the note was committed before it.
    const late = deletion.sourceId === undefined && (await find(ref, deletion, undefined));
    return late && !isDeleted(late) ? undefined : { kind: 'unchanged' };
  }
  if (revision !== undefined && ((found.revision as number | undefined) ?? 0) > revision)
    return { kind: 'outdated' };
  const target = deletion.mergedInto && (await targetOf(ref, found.id as string, deletion.mergedInto));
  if (target === 'unknown' && waits) return { kind: 'waiting' };
  const deleted = await deleteAsRead(ref, found, {
    origin,
    revision,
    named:
      key && (deletion.sourceId !== undefined || found.source_id === undefined)
        ? { key, read: row }
        : undefined,
    target: target === 'unknown' ? undefined : target,
  });
  return deleted && { kind: 'deleted', ...deleted };
}

/** The key under which it is noted that the row is gone; undefined when only the id of the record names it. */
const keyOf = (ref: CollectionRef, { sourceId, externalId, recordId }: Named) => {
  if (sourceId !== undefined) return sourceKey(ref, sourceId);
  return externalId === undefined || recordId !== undefined ? undefined : goneKey(ref, externalId);
};

/** The item that a deletion is about, which may be deleted; undefined when there is none. @param linked the id that the source id has */
async function find(
  ref: CollectionRef,
  { sourceId, externalId, recordId }: Named,
  linked: string | undefined,
): Promise<Item | undefined> {
  const id =
    (sourceId === undefined ? undefined : linked) ??
    recordId ??
    (sourceId === undefined ? await idOf(ref, externalId) : undefined);
  const item = id === undefined ? undefined : await readById(ref, id);
  // The record belongs to another row by now.
  const isOther = sourceId !== undefined && item?.source_id !== undefined && item.source_id !== sourceId;
  return isOther ? undefined : item;
}

const idOf = async (ref: CollectionRef, externalId: string | undefined): Promise<string | undefined> =>
  externalId === undefined
    ? undefined
    : (await readItem<{ id: string }>(records, pointerKey(ref, externalId)))?.id;

/**
 * The living record into which a record is merged: that which is named, or the one into which that was merged.
 * @returns undefined when there is none, or it is the record itself
 */
async function targetOf(
  ref: CollectionRef,
  self: string,
  { sourceId, since, ...named }: NonNullable<Deletion['mergedInto']>,
): Promise<Item | undefined | 'unknown'> {
  const row = sourceId === undefined ? undefined : await readSource(sourceKey(ref, sourceId));
  if (sourceId !== undefined && (!row || isBefore(row.gone_at && (row.gone_revision ?? 0), since)))
    return 'unknown';
  const id = row?.id ?? named.recordId ?? (await idOf(ref, named.externalId));
  const item = id === undefined ? undefined : await readById(ref, id);
  if (!item) return row ? undefined : 'unknown';
  if (!isDeleted(item) && isBefore(item.revision, since)) return 'unknown';
  const end = isDeleted(item) ? await livingEnd(ref, item) : item;
  return end?.id === self ? undefined : end;
}

/** Whether a revision is of a row before the one that began with `since`. */
const isBefore = (revision: unknown, since: number | undefined): boolean =>
  since !== undefined && typeof revision === 'number' && revision < since;
