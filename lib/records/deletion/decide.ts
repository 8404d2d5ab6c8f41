// Decides what happens to a record message or a deletion, given what is stored under its names. docs/merge.md shows the same rules as tables.
import type { rejections } from '../../contract/outboxContract.ts';
import type { Item } from '../../dynamodb/item.ts';
import { beganAfter, isOlder, type MergeTerms } from '../mergeMessage.ts';
import { isDeleted } from '../recordItem.ts';
import { type DeletionNote, isDeletedName, type SourceItem } from '../source.ts';

/** The terms of a message that show the age of its row's state. A time that is ahead of the clock is left out. */
export interface MessageOrder extends Pick<MergeTerms, 'revision' | 'firstRevision' | 'knownDeletion'> {
  /** When your app changed or deleted its row, RFC 3339 UTC. */
  rowAt?: string | undefined;
}

/** The `id` and the `source_id` of a message. */
interface Names {
  id: string | undefined;
  sourceId: string | undefined;
}

/** The items that are stored under the names of a message. */
export interface StoredAtNames {
  /** The item at the name. */
  at: SourceItem | undefined;
  /** The living record that has the name. */
  record: Item | undefined;
  /** The item of the message's `id`, if it has one: a record or a tombstone. */
  ofId: Item | undefined;
}

/** How far the clock of your app may be ahead or behind, in milliseconds. */
export const clockToleranceMs = 5 * 60_000;

/** Compares a message with the last deletion of its name. */
function compare(
  { knownDeletion, revision, firstRevision, rowAt }: MessageOrder,
  note: DeletionNote,
  kind: 'record' | 'deletion',
): 'before' | 'after' | 'unknown' {
  if (knownDeletion !== undefined && knownDeletion >= note.deleted_at) return 'after';
  const { deleted_revision, row_deleted_at } = note;
  const last = deleted_revision ?? note.last_revision;
  if (last !== undefined) {
    if (revision !== undefined && revision <= last) return 'before';
    // An edit that was in progress when an operator deleted the record also has a higher revision.
    const isProof = kind === 'deletion' || deleted_revision !== undefined;
    const began = firstRevision ?? (isProof ? revision : undefined);
    if (began !== undefined && began > last) return 'after';
  }
  if (rowAt !== undefined) {
    if (row_deleted_at !== undefined) return rowAt > row_deleted_at ? 'after' : 'before';
    const latest = new Date(Date.parse(note.deleted_at) + clockToleranceMs).toISOString();
    if (note.deleted_by === 'product' && rowAt > latest) return 'after';
  }
  return 'unknown';
}

/** Returns whether a deletion belongs to an earlier row than the record does. */
const isOfRowBefore = ({ revision }: MessageOrder, record: Item | undefined): boolean =>
  revision !== undefined && typeof record?.first_revision === 'number' && revision < record.first_revision;

/** The reason for rejecting a message that is not stored, although it is not older than the stored record. */
export type Rejection = Exclude<(typeof rejections)[number], 'invalid'>;

const wasDeletedBy = (kind: unknown): Rejection => (kind === 'product' ? 'row_was_deleted' : 'deleted_here');

/**
 * `restart`: the row was deleted and began again, so its record is deleted and the message is decided once more. `link`: the record with the
 * message's `id` gets the source id.
 */
export type RecordDecision = 'create' | 'merge' | 'link' | 'restart' | 'ignore' | Rejection;

export function decideRecord(
  { id, sourceId, ...order }: MessageOrder & Names,
  { at, record, ofId }: StoredAtNames,
): RecordDecision {
  const note = isDeletedName(at) ? at : undefined;
  const when = note ? compare(order, note, 'record') : 'after';
  if (when === 'before') return 'ignore';
  if (record && beganAfter(record, order)) return 'restart';
  if (record && isOlder(order, record)) return 'ignore';
  if (id !== undefined && id === record?.id) return 'merge';
  if (id !== undefined) {
    if (!ofId) return 'unknown_id';
    if (isDeleted(ofId)) return wasDeletedBy((ofId.origin as Item | undefined)?.kind);
    if (record || ofId.source_id !== undefined || sourceId === undefined) return 'other_record';
  }
  if (note && when === 'unknown') return wasDeletedBy(note.deleted_by);
  if (record) return 'merge';
  return ofId ? 'link' : 'create';
}

/**
 * `note`: there is no record to delete, so the deletion is noted for late messages. `raise`: the time of the note is also raised, because this
 * deletion may be the later one.
 */
export type DeletionDecision = 'delete' | 'note' | 'raise' | 'ignore' | Rejection;

/** @param stored without `at` if the deletion names its record by `id` alone */
export function decideDeletion(
  { id, sourceId, isNamed, ...order }: MessageOrder & Names & { isNamed: boolean },
  { at, record, ofId }: StoredAtNames,
): DeletionDecision {
  const isLiving = ofId !== undefined && !isDeleted(ofId);
  if (!isNamed && !isLiving) return ofId ? 'ignore' : 'unknown_id';
  const isOther =
    sourceId === undefined
      ? record !== undefined && record.id !== id
      : ofId?.source_id !== undefined && ofId.source_id !== sourceId;
  if (isLiving && isOther) return 'contradiction';
  const when = isDeletedName(at) ? compare(order, at, 'deletion') : 'after';
  if (when === 'before' || isOfRowBefore(order, record)) return 'ignore';
  if (!record) return when === 'unknown' ? 'raise' : 'note';
  if (when === 'unknown' && record.id !== id) return ofId ? 'ignore' : 'deletion_unproven';
  return isOlder(order, record) ? 'contradiction' : 'delete';
}
