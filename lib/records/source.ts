import type { Origin } from '../contract/origin.ts';
import type { Key } from '../dynamodb/item.ts';
import { readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { latest } from './item.ts';
import { type CollectionRef, sourceKey } from './keys.ts';

/**
 * The last deletion of a name: of a source id, or of an external id of a record without one. It stays when the name has a record again,
 * because messages from before it may come late, and are compared with it (deletion/decide.ts).
 */
export interface DeletionNote {
  /** When the deletion was made here, RFC 3339 UTC. It grows with each deletion of the name. */
  deleted_at: string;
  deleted_by: Origin['kind'];
  /** The record that was deleted last, if there was one. */
  deleted_id?: string | undefined;
  /** The revision of the deletion; undefined when it had none. */
  deleted_revision?: number | undefined;
  /** The highest revision that was known of the row, when the deletion had none. */
  last_revision?: number | undefined;
  /** When your app deleted its row, by its clock, RFC 3339 UTC. */
  row_deleted_at?: string | undefined;
}

/** The item at a name. That of an external id has only the deletion: a pointer tells its record. */
export interface SourceItem extends Partial<DeletionNote> {
  /** The record that has the source id, or had it last. */
  id?: string | undefined;
  /** Records name it that may not have its `id` yet. Each has an item beside this one, under its own id. */
  waiting?: true | undefined;
  /** If it took several turns: the last of the records that name it, in the order of their ids, that was given the id `end`. */
  followed?: { end: string; to: string } | undefined;
}

/** What a deletion says of itself. */
export interface DeletedBy {
  origin: Origin;
  revision?: number | undefined;
  rowDeletedAt?: string | undefined;
}

/** Whether a record has the source id. */
export const hasRecord = ({ id, deleted_id }: SourceItem): boolean => id !== undefined && id !== deleted_id;

export const isDeletedName = (item: SourceItem | undefined): item is SourceItem & DeletionNote =>
  item?.deleted_at !== undefined;

/** The condition that the item at a name is as it was read. @param read undefined when there was none */
export const asRead = ({ id, deleted_at }: SourceItem = {}) => ({ id, deleted_at });

/** Gives a source id to a record. Records that name the contact which had it before have to be pointed to this one. */
export const putSource = (ref: CollectionRef, sourceId: string, id: string, read?: SourceItem): Action =>
  records.update(
    sourceKey(ref, sourceId),
    { id, ...(isDeletedName(read) ? { waiting: true } : {}) },
    { if: asRead(read), showsItem: true },
  );

/** The note of a deletion that is made at a time. @param record that it deletes */
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

/** The time of a deletion, after that of the one before. */
export const deletionTime = ({ deleted_at }: SourceItem = {}): string =>
  latest(deleted_at && new Date(Date.parse(deleted_at) + 1).toISOString(), new Date().toISOString());

/** A name of a record, with its item as it was read. */
export interface NameAsRead {
  key: Key;
  read: SourceItem | undefined;
}

/** Notes a deletion at a name. */
export const putNote = ({ key, read }: NameAsRead, note: Partial<DeletionNote>): Action => {
  const { deleted_id: id } = note;
  return records.update(key, { ...(id === undefined ? {} : { id }), ...note }, { if: asRead(read) });
};

/** Whether the row was sent or deleted, and not merely waited for. */
export const isKnown = ({ id, deleted_at }: SourceItem): boolean =>
  id !== undefined || deleted_at !== undefined;

export async function readSource(key: Key): Promise<SourceItem | undefined> {
  const item = await readItem<SourceItem>(records, key);
  return item && isKnown(item) ? item : undefined;
}

export const nameAsRead = async (key: Key | undefined): Promise<NameAsRead | undefined> =>
  key && { key, read: await readSource(key) };
