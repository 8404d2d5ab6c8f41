import { readItems } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { type ApiError, notFound } from '../../errors/apiError.ts';
import type { Stored } from '../../resources/collection.ts';
import { resources } from '../../resources/index.ts';
import { isDeleted } from '../deletion/tombstone.ts';
import { type State, toState } from '../item.ts';
import {
  type AccountCollection,
  type CollectionRef,
  goneKey,
  pointerKey,
  recordKey,
  sourceKey,
} from '../keys.ts';
import { beganAfter } from '../mergeStatement.ts';
import { isOfClient } from '../origin.ts';
import { positionsOf } from '../position.ts';
import type { Item } from '../range.ts';
import { externalIdTaken, resourceName, rowIsGone, sourceIdTaken } from '../refusals.ts';
import { isBack, isKnown, type SourceItem, type Told } from '../source.ts';
import type { Entry } from './entry.ts';

/** The records of an account with these external ids, by external id. Strongly consistent. */
export async function findByExternalId<R extends Stored>(
  ref: AccountCollection<R>,
  externalIds: readonly string[],
): Promise<Map<string, State<R>>> {
  const keys = externalIds.map((externalId) => pointerKey(ref, externalId));
  const pointers = await readItems<{ id: string }>(records, keys);
  const ids = pointers.map(({ id }) => id);
  const items = (await readItemsOf(ref, ids)).filter((item) => !isDeleted(item));
  const states = items.map((item) => toState(ref.collection, item));
  return new Map(states.map((state) => [state.record.external_id as string, state]));
}

/**
 * The finding about an entry: its record; that there is none, perhaps with the note that its row is gone; that the row began again, and its
 * deletion is yet to come; that the entry is late, because its row is gone, perhaps with the id of a record that its deletion has missed; or
 * why it is refused. `changing`: others are at the record.
 */
export type Found<R extends Stored> =
  | { kind: 'record'; state: State<R> }
  | { kind: 'none'; gone?: SourceItem | undefined }
  | { kind: 'back'; item: Item; key: ReturnType<typeof sourceKey>; read: SourceItem }
  | { kind: 'late'; missed?: Missed | undefined }
  | { kind: 'changing' }
  | { kind: 'refused'; error: ApiError };

/** A record that is there although the deletion of its row is noted: who stated it died before the two were compared. */
export interface Missed {
  id: string;
  gone: SourceItem;
}

/**
 * The records of entries. One with an id of the product is found by that, or by the id of the record that it is to be linked to; any other
 * by its external id.
 */
export async function findRecords<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, Found<R>>> {
  const sourced = entries.filter(({ source }) => source !== undefined);
  const others = entries.filter(({ source }) => source === undefined);
  const [byExternalId, bySource] = await Promise.all([
    others.length === 0 ? [] : findOthers(ref, others),
    sourced.length === 0 ? [] : findBySource(ref, sourced),
  ]);
  return new Map([...byExternalId, ...bySource]);
}

const externalIdsOf = <R extends Stored>(entries: readonly Entry<R>[]): string[] =>
  entries.flatMap(({ content: { external_id } }) => (external_id === null ? [] : [external_id]));

async function findOthers<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly Entry<R>[],
): Promise<[Entry<R>, Found<R>][]> {
  const [states, late] = await Promise.all([
    findByExternalId(ref, externalIdsOf(entries)),
    lateAmong(ref, entries),
  ]);
  return entries.map((entry) => {
    const [state, gone] = [states.get(entry.content.external_id ?? ''), late.get(entry)];
    if (gone) return [entry, { kind: 'late', missed: state && missedBy(gone, state) }];
    return [entry, state ? { kind: 'record', state } : { kind: 'none' }];
  });
}

/** A record that a client has created, or that was stated after its row came back, is not of the row that is gone. */
function missedBy(
  gone: SourceItem,
  { record, origin, revision, statedAt }: State<Stored>,
): Missed | undefined {
  const isStated = origin?.kind === 'product' || revision !== undefined;
  return isStated && !isBack(gone, { revision, statedAt: statedAt ?? null })
    ? { id: record.id, gone }
    : undefined;
}

/**
 * The statements of a product without ids of its own that are about rows which it has deleted by their external ids, each with the note of
 * that.
 */
export async function lateAmong<R extends Stored>(
  ref: CollectionRef,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, SourceItem>> {
  const keyed = entries
    .filter(({ origin, source }) => !source && !isOfClient(origin))
    .map((entry) => ({ entry, key: goneKey(ref, entry.content.external_id as string) }));
  if (keyed.length === 0) return new Map();
  const read = await readItems<SourceItem & { pk: string }>(
    records,
    keyed.map(({ key }) => key),
  );
  const notes = new Map(read.map((note) => [note.pk, note]));
  return new Map(
    keyed.flatMap(({ entry, key }) => {
      const note = notes.get(key.pk);
      return note !== undefined && !isBack(note, toldBy(entry)) ? [[entry, note]] : [];
    }),
  );
}

const toldBy = <R extends Stored>({ terms, statedAt }: Entry<R>): Told => ({
  since: terms?.since,
  revision: terms?.revision,
  statedAt,
});

async function findBySource<R extends Stored>(
  ref: AccountCollection<R>,
  entries: readonly Entry<R>[],
): Promise<[Entry<R>, Found<R>][]> {
  const { collection } = ref;
  const keyOf = ({ source }: Entry<R>) => sourceKey(ref, source?.id as string);
  const read = await readItems<SourceItem & { pk: string }>(records, entries.map(keyOf));
  const rows = new Map(read.filter(isKnown).map((row) => [row.pk, row]));
  const rowOf = (entry: Entry<R>) => rows.get(keyOf(entry).pk);
  const recordIdOf = (entry: Entry<R>) => rowOf(entry)?.id ?? entry.source?.recordId;
  const isToCreate = (entry: Entry<R>) =>
    rowOf(entry)?.gone_at !== undefined || recordIdOf(entry) === undefined;
  const [items, taken] = await Promise.all([
    readItemsOf(
      ref,
      entries.flatMap((entry) => recordIdOf(entry) ?? []),
    ),
    findByExternalId(ref, externalIdsOf(entries.filter(isToCreate))),
  ]);
  const byId = new Map(items.map((item) => [item.id, item]));
  const found = (entry: Entry<R>): Found<R> => {
    const { external_id } = entry.content;
    const [row, id, wanted] = [rowOf(entry), recordIdOf(entry), entry.source?.recordId];
    if (row?.gone_at !== undefined && !isBack(row, toldBy(entry)))
      return isTold(entry) ? { kind: 'late' } : refused(rowIsGone(collection));
    if (isToCreate(entry)) {
      const by = taken.get(external_id ?? '');
      if (by) return refused(externalIdTaken(collection, external_id as string, by.record.id));
      return { kind: 'none', gone: row };
    }
    if (wanted !== undefined && wanted !== id) return refused(sourceIdTaken(collection));
    const item = byId.get(id);
    if (!item || (isDeleted(item) && !row)) return refused(notFound(resourceName(collection), id as string));
    if (isDeleted(item)) return { kind: 'changing' };
    if (row && beganAfter(item, entry.terms)) return { kind: 'back', item, key: keyOf(entry), read: row };
    return { kind: 'record', state: toState(collection, item) };
  };
  return entries.map((entry) => [entry, found(entry)]);
}

const refused = (error: ApiError) => ({ kind: 'refused' as const, error });

/** Whether a statement says by anything at all when its row was as it states. */
const isTold = <R extends Stored>({ terms, statedAt }: Entry<R>): boolean =>
  statedAt !== null || terms?.since !== undefined || terms?.revision !== undefined;

/** The items with these ids, as far as they are there. */
const readItemsOf = (ref: CollectionRef, ids: readonly string[]): Promise<Item[]> =>
  readItems(
    records,
    positionsOf(resources[ref.type].prefix, ids).map((position) => recordKey(ref, position)),
  );
