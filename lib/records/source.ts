import type { Origin } from '../contract/origin.ts';
import type { Key } from '../dynamodb/item.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { type CollectionRef, sourceKey } from './recordKeys.ts';

/**
 * The last deletion of a name, which is a source id, or the external id of a record without a source id. The note stays even if the name gets a
 * record again. Late messages from before the deletion are compared with it (deletion/decide.ts).
 */
export interface DeletionNote {
  /** When the deletion was made here, RFC 3339 UTC. It grows with each deletion of the name. */
  deleted_at: string;
  deleted_by: Origin['kind'];
  /** The record that was deleted last, if there was one. */
  deleted_id?: string | undefined;
  /** The revision of the deletion; undefined if it had none. */
  deleted_revision?: number | undefined;
  /** The highest known revision of the row, if the deletion had none. */
  last_revision?: number | undefined;
  /** When your app deleted its row, by its clock, RFC 3339 UTC. */
  row_deleted_at?: string | undefined;
}

/** The item at a name. For an external id, it contains only the deletion, because a pointer stores the record. */
export interface SourceItem extends Partial<DeletionNote> {
  /** The record that has the source id, or had it last. */
  id?: string | undefined;
  /** Some records name this row and may not have its `id` yet. Each of them has an item next to this one, under its own id. */
  waiting?: true | undefined;
  /** Where the next step continues: `to` is the last linking record, by id, that got the id `end`. */
  followed?: { end: string; to: string } | undefined;
}

/** Who made a deletion, with its revision and time. */
export interface DeletedBy {
  origin: Origin;
  revision?: number | undefined;
  rowDeletedAt?: string | undefined;
}

/** Returns whether a record has the source id. */
export const hasRecord = ({ id, deleted_id }: SourceItem): boolean => id !== undefined && id !== deleted_id;

export const isDeletedName = (item: SourceItem | undefined): item is SourceItem & DeletionNote =>
  item?.deleted_at !== undefined;

/** Returns the condition that the item at a name has not changed since it was read. @param read undefined if there was none */
export const asRead = ({ id, deleted_at }: SourceItem = {}) => ({ id, deleted_at });

/** Returns the action that assigns a source id. Records that name the source id's previous record must then get the new id. */
export const putSource = (ref: CollectionRef, sourceId: string, id: string, read?: SourceItem): Action =>
  records.update(
    sourceKey(ref, sourceId),
    { id, ...(isDeletedName(read) ? { waiting: true } : {}) },
    { if: asRead(read), showsItem: true },
  );

/** Returns the note of a deletion made at a time. @param record the record that it deletes */
export function noteOf(
  at: string,
  { origin, revision, rowDeletedAt }: DeletedBy,
  read: SourceItem = {},
  record: { id?: unknown; revision?: unknown } = {},
): DeletionNote {
  const known = [record.revision, read.deleted_revision, read.last_revision].filter(
    (one) => typeof one === 'number',
  );
  return {
    deleted_at: at,
    deleted_by: origin.kind,
    deleted_id: (record.id as string | undefined) ?? read.deleted_id,
    deleted_revision: revision,
    last_revision: revision !== undefined || known.length === 0 ? undefined : Math.max(...known),
    row_deleted_at: rowDeletedAt,
  };
}

/** A name of a record, with its item as it was read. */
export interface NameAsRead {
  key: Key;
  read: SourceItem | undefined;
}

/** Returns the action that notes a deletion at a name. */
export const putNote = ({ key, read }: NameAsRead, note: Partial<DeletionNote>): Action => {
  const { deleted_id: id } = note;
  return records.update(key, { ...(id === undefined ? {} : { id }), ...note }, { if: asRead(read) });
};

/** Returns whether the row was sent or deleted, as opposed to only being waited for. */
export const isKnown = ({ id, deleted_at }: SourceItem): boolean =>
  id !== undefined || deleted_at !== undefined;

export async function readSource(key: Key): Promise<SourceItem | undefined> {
  const item = await readItem<SourceItem>(records, key);
  return item && isKnown(item) ? item : undefined;
}

export const nameAsRead = async (key: Key | undefined): Promise<NameAsRead | undefined> =>
  key && { key, read: await readSource(key) };
