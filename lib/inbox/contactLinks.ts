// Orders and registrations may name their contact by the product's own id of it, before the contact is here. Their `contact_id` is the id
// that the contact's row has or last had: it is set when they are stored, and again whenever the row gets another record.
import { fewAtOnce } from '../concurrency.ts';
import { queryPages } from '../dynamodb/query.ts';
import { readItem, readItems } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { write } from '../dynamodb/transact.ts';
import { ApiError } from '../errors/apiError.ts';
import {
  type Deletion,
  type DeletionOptions,
  type DeletionResult,
  deleteStated,
} from '../records/deletion/deleteStated.ts';
import { type AccountCollection, type CollectionRef, inAccount, sourceKey } from '../records/keys.ts';
import { byProduct } from '../records/origin.ts';
import type { SourceItem } from '../records/source.ts';
import { updateRecord } from '../records/update.ts';
import type { Entry, UpsertResult } from '../records/upsert/entry.ts';
import { upsertMany } from '../records/upsert/upsert.ts';
import type { Content, Stored } from '../resources/collection.ts';
import { collectionOf } from '../resources/collections.ts';
import type { ResourceType } from '../resources/index.ts';

type Named = { id: string; contact_id?: string | null | undefined };

/**
 * Stores statements, as `upsertMany` does, and what they say of contacts by the product's ids. To store a statement again finishes
 * what a death has left.
 */
export async function storeStatements(
  ref: AccountCollection<Stored>,
  entries: readonly Entry<Stored>[],
): Promise<UpsertResult<Stored>[]> {
  const { account, type } = ref;
  const results = await upsertMany(ref, await pointed(account, entries));
  if (type === 'contact')
    await tellWaiting(
      account,
      entries.flatMap(({ sourceId }) => sourceId ?? []),
    );
  else
    await fewAtOnce([...entries.entries()], async ([i, { terms }]) => {
      const result = results[i] as UpsertResult<Stored>;
      if (terms?.contactSource != null && 'record' in result)
        await noteContact(ref, result.record, terms.contactSource);
    });
  return results;
}

/** Makes a deletion, as `deleteStated` does. It may be the first that says which record the row of a contact had. */
export async function storeDeletion(
  ref: CollectionRef,
  deletion: Deletion,
  options: DeletionOptions,
): Promise<DeletionResult> {
  const result = await deleteStated(ref, deletion, options);
  if (ref.type === 'contact' && deletion.sourceId !== undefined)
    await tellWaiting(ref.account, [deletion.sourceId]);
  return result;
}

const contactKey = (account: string, sourceId: string) => sourceKey({ account, type: 'contact' }, sourceId);

/** The items of these ids of the product. Strongly consistent. */
async function readRows(account: string, sourceIds: readonly string[]): Promise<(SourceItem & Key)[]> {
  const keys = [...new Set(sourceIds)].map((sourceId) => contactKey(account, sourceId));
  return keys.length === 0 ? [] : readItems(records, keys);
}

type Key = ReturnType<typeof sourceKey>;

/** The entries with the `contact_id` of each contact that is known: most records then have it in their first version. */
async function pointed(account: string, entries: readonly Entry<Stored>[]): Promise<Entry<Stored>[]> {
  const rows = await readRows(
    account,
    entries.flatMap(({ terms }) => terms?.contactSource ?? []),
  );
  const ids = new Map(rows.map(({ pk, id }) => [pk, id]));
  return entries.map((entry) => {
    const { contactSource } = entry.terms ?? {};
    const id = contactSource == null ? undefined : ids.get(contactKey(account, contactSource).pk);
    return id === undefined
      ? entry
      : { ...entry, content: { ...entry.content, contact_id: id } as Content<Stored> };
  });
}

/**
 * Notes that a record names a contact. It looks at the contact's row after that, and the contact's statement looks for notes after it has
 * given the row its record: one of the two sees the other.
 */
async function noteContact(
  ref: AccountCollection<Stored>,
  { id, contact_id }: Named,
  sourceId: string,
): Promise<void> {
  const { account, type } = ref;
  const key = contactKey(account, sourceId);
  await write(records.put({ pk: key.pk, sk: id, type }));
  const row = await point(ref, { id, contact_id }, key, sourceId);
  if (row?.id !== undefined || row?.waiting) return;
  const flagged = await write(records.update(key, { waiting: true }, { if: { id: undefined } }));
  if (!flagged.committed) await point(ref, { id, contact_id }, key, sourceId);
}

/** Tells the records that name contacts of the id that these have now. */
async function tellWaiting(account: string, sourceIds: readonly string[]): Promise<void> {
  const rows = new Map((await readRows(account, sourceIds)).map((row) => [row.pk, row]));
  for (const sourceId of sourceIds) {
    const key = contactKey(account, sourceId);
    const { id, waiting } = rows.get(key.pk) ?? {};
    if (id === undefined || !waiting) continue;
    for await (const page of queryPages({ ...records.where({ pk: key.pk }), ConsistentRead: true }))
      await fewAtOnce(
        page.filter(({ sk }) => sk !== key.sk),
        ({ sk, type }) =>
          point(inAccount(collectionOf(type as ResourceType), account), { id: sk as string }, key, sourceId),
      );
    await write(records.update(key, { waiting: undefined }, { if: { id } }));
  }
}

/** Longer than others are at the same record. */
const changeMs = 10_000;

/**
 * Gives a record the contact that a row has now, and looks at the row again, because it may have come back meanwhile.
 * @returns the row as it was read last
 */
async function point(
  ref: AccountCollection<Stored>,
  { id, contact_id }: Named,
  key: Key,
  sourceId: string,
): Promise<SourceItem | undefined> {
  for (let current = contact_id; ; ) {
    const row = await readItem<SourceItem>(records, key);
    if (row?.id === undefined || row.id === current) return row;
    current = row.id;
    const options = { origin: byProduct, deadline: Date.now() + changeMs };
    try {
      await updateRecord(
        ref,
        id,
        ({ record, contactSource }) => ({
          content: { ...record, ...(contactSource === sourceId ? { contact_id: current } : {}) },
        }),
        options,
      );
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
}
