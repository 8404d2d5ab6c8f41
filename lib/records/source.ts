import { readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import type { Action } from '../dynamodb/transact.ts';
import { type CollectionRef, sourceKey } from './keys.ts';

/**
 * Which record has an id of the product. When the row is gone, the item says so for ever, because statements about the row may come late:
 * of a deleted record, or of one that nobody has stated here before its deletion.
 */
export interface SourceItem {
  id?: string | undefined;
  /** When the deletion of the row was made here, RFC 3339; undefined while the row is there. */
  gone_at?: string | undefined;
  /** The highest revision that the deletion knew: no row that began with it or a lower one comes back. */
  gone_revision?: number | undefined;
  /** Tells a row that came back when its statement does not say `since`; undefined when nothing does. */
  back_by?: 'revision' | 'time' | undefined;
  /** Set for a contact: records name it that may not have its `id` yet. Each has an item beside this one, under its own id. */
  waiting?: true | undefined;
}

/** The words of a statement about the time of its row. */
export interface Told {
  since?: number | undefined;
  revision?: number | undefined;
  statedAt: string | null;
}

/**
 * Whether a statement is about a row that came back under the id of one that is gone: one that began after what the deletion knew. Without
 * `since`, its revision tells it if the deletion had one, and its time if the product deletes without revisions. After a deletion by an
 * operator neither does: the statement may be an edit of the row that is gone, which was under way.
 */
export function isBack(
  { gone_at, gone_revision, back_by }: SourceItem,
  { since, revision, statedAt }: Told,
): boolean {
  if (since !== undefined && gone_revision !== undefined) return since > gone_revision;
  if (back_by === 'revision') return revision !== undefined && revision > (gone_revision as number);
  return back_by === 'time' && statedAt !== null && statedAt > (gone_at as string);
}

/** The condition that the item of a source id is as it was read. @param read undefined when there was none */
const asRead = ({ id, gone_at, gone_revision }: SourceItem = {}) => ({ id, gone_at, gone_revision });

/**
 * Gives the product's own id to a record, in place of the note that the row before it is gone. What names a contact that came back has to
 * be told of its new record.
 */
export const putSource = (ref: CollectionRef, sourceId: string, id: string, gone?: SourceItem): Action =>
  records.update(
    sourceKey(ref, sourceId),
    { id, ...(gone ? { ...asRead(), id, back_by: undefined, waiting: true } : {}) },
    { if: asRead(gone), showsItem: true },
  );

/** Notes that the row of a key is gone. @param key of a source id, or of an external id by which the product deletes */
export const putGone = (
  key: Key,
  { id, gone_at, gone_revision, back_by }: SourceItem,
  read: SourceItem | undefined,
): Action => records.update(key, { id, gone_at, gone_revision, back_by }, { if: asRead(read) });

type Key = ReturnType<typeof sourceKey>;

/** Whether a row was stated or deleted, and is not only waited for. */
export const isKnown = ({ id, gone_at }: SourceItem): boolean => id !== undefined || gone_at !== undefined;

export async function readSource(key: Key): Promise<SourceItem | undefined> {
  const item = await readItem<SourceItem>(records, key);
  return item && isKnown(item) ? item : undefined;
}
