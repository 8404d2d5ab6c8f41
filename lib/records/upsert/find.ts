import type { Item, Key } from '../../dynamodb/item.ts';
import { readByKey, readItems } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import type { Stored } from '../../resources/collection.ts';
import { decideRecord } from '../deletion/decide.ts';
import { readByIds } from '../get.ts';
import { orderingTime, type UpsertEntry } from '../mergeMessage.ts';
import { isDeleted, type State, toState } from '../recordItem.ts';
import { type AccountCollection, type CollectionRef, noteKey, pointerKey } from '../recordKeys.ts';
import { isOfClient } from '../recordOrigin.ts';
import { externalIdTaken, type Refused, rejected } from '../refusals.ts';
import { hasRecord, type SourceItem } from '../source.ts';

/** Returns the records of an account by these external ids. Strongly consistent. */
export async function findByExternalId<R extends Stored>(
  ref: AccountCollection<R>,
  externalIds: readonly string[],
): Promise<Map<string, State<R>>> {
  const items = await itemsByExternalId(ref, externalIds);
  return new Map([...items].map(([externalId, item]) => [externalId, toState(ref.collection, item)]));
}

async function itemsByExternalId(
  ref: CollectionRef,
  externalIds: readonly string[],
): Promise<Map<string, Item>> {
  const keys = externalIds.map((externalId) => pointerKey(ref, externalId));
  const pointers = await readItems<{ id: string }>(records, keys);
  const items = await readByIds(
    ref,
    pointers.map(({ id }) => id),
  );
  const living = [...items.values()].filter((item) => !isDeleted(item));
  return new Map(living.map((item) => [item.external_id as string, item]));
}

/**
 * The stored state under the names of an entry. `record`: its record, with the item at the name if the record gets the source id. `none`: no
 * record; `nameItem` is the item at its name. `restart`: its record belongs to an earlier row whose deletion is late.
 */
export type FoundRecord<R extends Stored> =
  | { kind: 'record'; state: State<R>; nameItem?: SourceItem | undefined }
  | { kind: 'none'; nameItem?: SourceItem | undefined }
  | { kind: 'restart'; item: Item }
  | { kind: 'outdated' }
  | Refused;

/**
 * Finds the records of entries. An entry with a source id is found by the source id, or by the id of the record that gets it. Any other entry
 * is found by its external id.
 */
export async function findRecords<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly UpsertEntry<R>[],
): Promise<Map<UpsertEntry<R>, FoundRecord<R>>> {
  const [named, names] = await Promise.all([
    itemsByExternalId(ref, externalIdsOf(entries.filter(({ sourceId }) => sourceId === undefined))),
    readNames(
      ref,
      entries.filter(({ origin }) => !isOfClient(origin)),
    ),
  ]);
  const recordIdOf = (entry: UpsertEntry<R>) => {
    const nameItem = names.get(entry);
    return nameItem && hasRecord(nameItem) ? nameItem.id : undefined;
  };
  const unnamed = entries.filter((entry) => entry.sourceId !== undefined && recordIdOf(entry) === undefined);
  const [byId, taken] = await Promise.all([
    readByIds(
      ref,
      entries.flatMap((entry) => [recordIdOf(entry), entry.terms?.recordId].flatMap((id) => id ?? [])),
    ),
    itemsByExternalId(ref, externalIdsOf(unnamed)),
  ]);
  const foundOf = (entry: UpsertEntry<R>): FoundRecord<R> => {
    const { content, sourceId, terms = {} } = entry;
    const { collection } = ref;
    const nameItem = names.get(entry);
    const ofId = byId.get(terms.recordId);
    // The record may have got the source id after the name was read, for example from the same message.
    const ofSource = byId.get(recordIdOf(entry)) ?? (ofId?.source_id === sourceId ? ofId : undefined);
    // The record may have been deleted after its name was read. The item at the name has then also changed.
    const record =
      sourceId === undefined
        ? named.get(content.external_id as string)
        : isDeleted(ofSource)
          ? undefined
          : ofSource;
    const decision = isOfClient(entry.origin)
      ? record
        ? 'merge'
        : 'create'
      : decideRecord(
          { ...terms, id: terms.recordId, sourceId, rowAt: orderingTime(entry) },
          { at: nameItem, record, ofId },
        );
    switch (decision) {
      case 'merge':
        return { kind: 'record', state: toState(collection, record as Item) };
      case 'link':
        return { kind: 'record', state: toState(collection, ofId as Item), nameItem };
      case 'create': {
        const other = taken.get(content.external_id ?? '');
        if (!other) return { kind: 'none', nameItem };
        const error = externalIdTaken(collection, content.external_id as string, other.id as string);
        return { kind: 'refused', reason: error.kept?.message ?? error.message };
      }
      case 'restart':
        return { kind: 'restart', item: record as Item };
      case 'ignore':
        return { kind: 'outdated' };
      default:
        // If the message names a deleted record, show that record's deletion. A later one of the name may belong to another row.
        return rejected(collection, decision, isDeleted(ofId) ? deletionOf(ofId as Item) : nameItem);
    }
  };
  return new Map(entries.map((entry) => [entry, foundOf(entry)]));
}

const externalIdsOf = <R extends Stored>(entries: readonly UpsertEntry<R>[]): string[] =>
  entries.flatMap(({ content: { external_id } }) => (external_id === null ? [] : [external_id]));

const deletionOf = ({ id, deleted_at }: Item) => ({
  deleted_at: deleted_at as string,
  deleted_id: id as string,
});

/** Reads the items at the names of entries. Strongly consistent. */
async function readNames<R extends Stored>(
  ref: CollectionRef,
  entries: readonly UpsertEntry<R>[],
): Promise<Map<UpsertEntry<R>, SourceItem | undefined>> {
  const keyOf = ({ sourceId, content }: UpsertEntry<R>) => noteKey(ref, sourceId, content.external_id) as Key;
  const itemAt = await readByKey<SourceItem>(records, entries.map(keyOf));
  return new Map(entries.map((entry) => [entry, itemAt(keyOf(entry))]));
}
