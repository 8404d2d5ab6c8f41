// A record may name a contact or an order by your app's id of its row, before that contact or order has arrived. Its `contact_id` or `order_id`
// is the id of the record that the row has or last had, or of the remaining record after a merge. The field is set when the record is stored,
// when the row gets another record, and when the named record is merged. Notes help to find such records. Notes next to a row's item find the
// records that name the row. Notes next to the item of a record's own id find those that name it by that id, or that followed a merge to it.
import { batchesOf, fewAtOnce } from '../concurrency.ts';
import { BusyError } from '../dynamodb/conflicts.ts';
import { is } from '../dynamodb/expressions.ts';
import { queryPages } from '../dynamodb/query.ts';
import { readItem, readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { write } from '../dynamodb/transact.ts';
import { ApiError } from '../errors/apiError.ts';
import {
  type Deletion,
  type DeletionOptions,
  type DeletionResult,
  deleteNamed,
} from '../records/deletion/deleteNamed.ts';
import { deleteTogether } from '../records/deletion/deleteTogether.ts';
import { livingEnd, readById } from '../records/get.ts';
import type { UpsertEntry } from '../records/mergeMessage.ts';
import { isDeleted, toState } from '../records/recordItem.ts';
import {
  type AccountCollection,
  type CollectionRef,
  inAccount,
  noteKey,
  pointerKey,
  sourceKey,
} from '../records/recordKeys.ts';
import { byProduct } from '../records/recordOrigin.ts';
import type { SourceItem } from '../records/source.ts';
import { updateRecord } from '../records/update.ts';
import { type UpsertResult, upsertMany } from '../records/upsert/upsert.ts';
import type { Content, Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import { isResource, type ResourceType } from '../resources/index.ts';
import { type LinkField, linkFields } from '../schemas/mergeTerms.ts';
import type { MessageContent } from './readMessage.ts';

const typesOf = { contact_id: 'contact', order_id: 'order' } as const satisfies Record<
  LinkField,
  ResourceType
>;

/** The fields by which records name others. A repository can leave out orders. */
const namingFields = linkFields.filter((field) => isResource(typesOf[field]));

/** Returns the field by which records name records of a type. */
const fieldOf = (type: ResourceType) => namingFields.find((field) => typesOf[field] === type);

type Linked = Stored & { readonly [Field in LinkField]?: string | null };

/** A link of a record: the field, and your app's id of the named row, if your app uses that id. */
interface Link {
  field: LinkField;
  sourceId?: string | null | undefined;
}

/** How long one step updates the records that link to a message's record, before the message continues in another step. */
const turnMs = 2000;

/** Thrown at the end of a step if some records that name another one do not have its id yet. The next step continues at a stored place. */
export class LinksLeft extends BusyError {}

export type StoreResult = UpsertResult<Stored> | DeletionResult;

/**
 * Stores the records of messages and makes their deletions. The messages must be about different records.
 * @param options `turn`: see `storeRecords`
 * @returns their results, in order
 */
export async function storeMessages(
  ref: AccountCollection<Stored>,
  messages: readonly MessageContent[],
  { turn, ...options }: Omit<DeletionOptions, 'origin'> & { turn?: number },
): Promise<StoreResult[]> {
  const entries = messages.flatMap(({ entry }) => entry ?? []);
  const deletions = messages.flatMap(({ deletion }) => deletion ?? []);
  const [stored, deleted] = await Promise.all([
    storeRecords(ref, entries, turn),
    storeDeletions(ref, deletions, { ...options, origin: byProduct }),
  ]);
  return messages.map(({ entry }) => (entry ? stored : deleted).shift() as StoreResult);
}

/**
 * Stores records like `upsertMany`, and the links that their messages contain by your app's ids. If a process died before the end, storing the
 * record again completes the work.
 * @param turn how long to update the records that name one of the stored records
 * @throws LinksLeft if some are left after that time; call it again to continue
 */
export async function storeRecords(
  ref: AccountCollection<Stored>,
  entries: readonly UpsertEntry<Stored>[],
  turn = turnMs,
): Promise<UpsertResult<Stored>[]> {
  const results = await upsertMany(ref, await pointed(ref.account, entries));
  const sourceIds = entries.flatMap(({ sourceId }) => sourceId ?? []);
  await tellWaiting(ref, sourceIds, Date.now() + turn);
  await fewAtOnce([...entries.entries()], async ([i, { terms }]) => {
    const result = results[i] as UpsertResult<Stored>;
    if (!('record' in result)) return;
    for (const field of namingFields) {
      const sourceId = terms?.links?.[field];
      const isSaid = !terms?.named || terms.named.has(field);
      if (sourceId != null) await noteLink(ref, result.record, { field, sourceId });
      else if (isSaid && result.kind !== 'unchanged') await point(ref, result.record, { field });
    }
  });
  return results;
}

/**
 * Deletes different records like `deleteNamed`, in one transaction where possible. A deletion may be the first message to say which record a
 * row had. After a merge, the records that name the deleted record get the id of the remaining one.
 * @throws LinksLeft if some of these are left at the end of a step or at the deadline; call it again to continue
 */
export async function storeDeletions(
  ref: CollectionRef,
  deletions: readonly Deletion[],
  options: DeletionOptions,
): Promise<DeletionResult[]> {
  const together = await deleteTogether(ref, deletions, options);
  const deadline = options.waits ? Date.now() + turnMs : options.deadline;
  const results = await Promise.all(
    deletions.map(async (deletion) => {
      const made = together.get(deletion);
      if (made || !deletion.mergedInto) return made ?? deleteNamed(ref, deletion, options);
      const names = await namesOf(ref, deletion);
      const result = await deleteNamed(ref, deletion, options);
      if (result.kind !== 'deleted' && result.kind !== 'unchanged') return result;
      for (const name of new Set([...names, ...(await namesOf(ref, deletion))]))
        await follow(ref, name, deadline);
      return result;
    }),
  );
  const sourceIds = deletions.flatMap(({ sourceId }) => sourceId ?? []);
  await tellWaiting(ref, sourceIds, deadline);
  return results;
}

/** Reads the ids by which others may name a deletion's record. There may be more before it: a tombstone does not show its row. */
async function namesOf(ref: CollectionRef, { sourceId, externalId, recordId }: Deletion): Promise<string[]> {
  const key = noteKey(ref, sourceId, externalId);
  const keys = [...(key ? [key] : []), ...(externalId === undefined ? [] : [pointerKey(ref, externalId)])];
  const ids = (await readItems<{ id?: string }>(records, keys)).flatMap(({ id }) => id ?? []);
  if (recordId !== undefined) ids.push(recordId);
  const items = await Promise.all(ids.map((id) => readById(ref, id)));
  const rows = items.flatMap((item) => (item?.source_id as string | undefined) ?? []);
  return [...(sourceId === undefined ? [] : [sourceId]), ...ids, ...rows];
}

/** Reads the items of these ids of your app. Strongly consistent. */
const readRows = (
  ref: CollectionRef,
  sourceIds: readonly string[],
): Promise<(SourceItem & { pk: string })[]> =>
  readItems(
    records,
    sourceIds.map((sourceId) => sourceKey(ref, sourceId)),
  );

/** Returns the id of a record, or after a merge that of the remaining record. A record that was deleted without a merge keeps its id. */
async function endOf(ref: CollectionRef, id: string): Promise<string> {
  const item = await readById(ref, id);
  const end = item && isDeleted(item) ? await livingEnd(ref, item) : undefined;
  return (end?.id as string | undefined) ?? id;
}

/** Returns the id for records that name a row; undefined if the row has not arrived yet. */
const endOfRow = async (ref: CollectionRef, { id, deleted_at }: SourceItem): Promise<string | undefined> =>
  id === undefined || deleted_at === undefined ? id : endOf(ref, id);

/** Adds the ids of known rows to the entries. Most records then have these ids in their first version. */
async function pointed(
  account: string,
  entries: readonly UpsertEntry<Stored>[],
): Promise<UpsertEntry<Stored>[]> {
  const ids = new Map<string, string | undefined>();
  for (const field of namingFields) {
    const ref = { account, type: typesOf[field] };
    const rows = await readRows(
      ref,
      entries.flatMap(({ terms }) => terms?.links?.[field] ?? []),
    );
    for (const row of rows) ids.set(row.pk, await endOfRow(ref, row));
  }
  const idOf = (field: LinkField, sourceId: string | null | undefined) =>
    sourceId == null ? undefined : ids.get(sourceKey({ account, type: typesOf[field] }, sourceId).pk);
  return entries.map((entry) => {
    const known = namingFields
      .map((field) => [field, idOf(field, entry.terms?.links?.[field])] as const)
      .filter(([, id]) => id !== undefined);
    return { ...entry, content: { ...entry.content, ...Object.fromEntries(known) } as Content<Stored> };
  });
}

/** Stores a note that a record names this row, or names another record by its own id. */
const putLinkNote = (target: CollectionRef, name: string, { type }: CollectionRef, id: string) =>
  write(records.put({ pk: sourceKey(target, name).pk, sk: id, type }));

/**
 * Stores a note that a record names a row. It reads the row after that. The message about the row looks for notes after it has set the row's
 * record, and a merge looks for them after its deletion. One of the two therefore always sees the other.
 */
async function noteLink(
  ref: AccountCollection<Stored>,
  record: Linked,
  link: Link & { sourceId: string },
): Promise<void> {
  const target = { account: ref.account, type: typesOf[link.field] };
  await putLinkNote(target, link.sourceId, ref, record.id);
  const row = await point(ref, record, link);
  if (row?.id !== undefined || row?.waiting) return;
  const flag = records.update(sourceKey(target, link.sourceId), { waiting: true }, { if: { id: undefined } });
  if (!(await write(flag)).committed) await point(ref, record, link);
}

/** Sets the ids of these rows in the records that wait for them. */
async function tellWaiting(
  ref: CollectionRef,
  sourceIds: readonly string[],
  deadline: number,
): Promise<void> {
  if (fieldOf(ref.type) === undefined) return;
  const rows = new Map((await readRows(ref, sourceIds)).map((row) => [row.pk, row]));
  for (const sourceId of sourceIds) {
    const key = sourceKey(ref, sourceId);
    const { id, waiting } = rows.get(key.pk) ?? {};
    if (id === undefined || !waiting) continue;
    await follow(ref, sourceId, deadline);
    await write(records.update(key, { waiting: undefined }, { if: { id } }));
  }
}

/** How many records are updated at the same time, between two checks of the deadline. */
const atOnce = 25;

/**
 * Sets the current id of a row or a record in the records that have a note next to it. It continues where an earlier call for the same id
 * stopped. Notes that were added since then need no update, because their writers have read the row themselves.
 * @param name your app's id of the row, or the id of the record
 * @throws LinksLeft if the deadline has passed, but not before at least some records have the id
 */
async function follow(ref: CollectionRef, name: string, deadline: number): Promise<void> {
  const field = fieldOf(ref.type);
  if (!field) return;
  const key = sourceKey(ref, name);
  const row = await readItem<SourceItem>(records, key);
  const end = row?.id === undefined ? await endOf(ref, name) : await endOfRow(ref, row);
  const from = row?.followed?.end === end ? row?.followed?.to : undefined;
  const notesAfter = records.where({ pk: key.pk, sk: from && is('>', from) });
  let to = from;
  const keepPlace = () => write(records.update(key, { followed: { end, to } }));
  for await (const page of queryPages({ ...notesAfter, ConsistentRead: true }))
    for (const notes of batchesOf(page, atOnce)) {
      if (to !== from && Date.now() >= deadline) {
        await keepPlace();
        throw new LinksLeft('Some records that name another one do not have its id yet');
      }
      await fewAtOnce(notes, async ({ sk, type }) => {
        if (sk === key.sk) return;
        const linking = inAccount(collectionOf(type as ResourceType), ref.account);
        const item = await readById(linking, sk as string);
        if (!item || isDeleted(item) || item[field] === end) return;
        const { record, links } = toState(linking.collection, item);
        const sourceId = links?.[field];
        if (sourceId === name || item[field] === name) await point(linking, record, { field, sourceId });
      });
      to = notes.at(-1)?.sk as string;
    }
  // The record may have another name, and the next step for that name can skip the records done here.
  if (from !== undefined && to !== from) await keepPlace();
}

/** The longest that an update is retried: longer than other processes are busy with the same record. */
const changeMs = 10_000;

/**
 * Sets the id that a record's link stands for, and reads the row again, because the row may have begun again, or the named record may have been
 * merged. If a record followed a merge, or names another by its id alone, the last read comes after its note, so the next merge finds it.
 * @returns the row of the link as it was last read
 */
async function point(
  ref: AccountCollection<Stored>,
  record: Linked,
  { field, sourceId }: Link,
): Promise<SourceItem | undefined> {
  const target = { account: ref.account, type: typesOf[field] };
  let current = record[field] ?? undefined;
  for (let noted: string | undefined; ; ) {
    const row =
      sourceId == null ? undefined : await readItem<SourceItem>(records, sourceKey(target, sourceId));
    const named = sourceId == null ? current : row?.id;
    if (named === undefined) return row;
    if (sourceId == null && noted === undefined) {
      await putLinkNote(target, named, ref, record.id);
      noted = named;
    }
    const end = row ? ((await endOfRow(target, row)) as string) : await endOf(target, named);
    const isFound = end === noted || (row !== undefined && end === named);
    if (isFound && end === current) return row;
    if (!isFound) {
      await putLinkNote(target, end, ref, record.id);
      noted = end;
    }
    if (end !== current) await setLink(ref, record.id, { field, sourceId, before: current, after: end });
    current = end;
  }
}

/** Changes the field of a record, if the record still has this link. */
async function setLink(
  ref: AccountCollection<Stored>,
  id: string,
  { field, sourceId, before, after }: Link & { before: string | undefined; after: string },
): Promise<void> {
  const options = { origin: byProduct, deadline: Date.now() + changeMs };
  try {
    await updateRecord(
      ref,
      id,
      ({ record, links }) => {
        const isLinked =
          (links?.[field] ?? null) === (sourceId ?? null) &&
          (sourceId != null || (record as Linked)[field] === before);
        return { content: { ...record, ...(isLinked ? { [field]: after } : {}) } };
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
