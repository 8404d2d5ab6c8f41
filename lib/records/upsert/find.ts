import { readItems } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { type ApiError, notFound } from '../../errors/apiError.ts';
import type { Collection, Stored } from '../../resources/collection.ts';
import { type State, toState } from '../item.ts';
import { pointerKey, recordKey, sourceKey } from '../keys.ts';
import { positionOf } from '../position.ts';
import { externalIdTaken, resourceName, sourceIdTaken } from '../refusals.ts';
import type { Entry } from './entry.ts';

/** The records of an account with these external ids, by external id. Strongly consistent. */
export async function findByExternalId<R extends Stored>(
  collection: Collection<R>,
  account: string,
  externalIds: readonly string[],
): Promise<Map<string, State<R>>> {
  const ref = { account, type: collection.type };
  const pointers = await readItems(
    records,
    externalIds.map((externalId) => pointerKey(ref, externalId)),
  );
  const states = await readRecords(
    collection,
    account,
    pointers.map(({ id }) => id as string),
  );
  return new Map(states.map((state) => [state.record.external_id as string, state]));
}

/** What became of the look for the record of an entry: its state, none, or why the entry is refused. */
export type Found<R extends Stored> = State<R> | undefined | ApiError;

/**
 * The records of entries. One with an id of the product is found by that, or by the id of the record that it is to be linked to; any other
 * by its external id.
 */
export async function findRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, Found<R>>> {
  const sourced = entries.filter(({ source }) => source !== undefined);
  const others = entries.filter(({ source }) => source === undefined);
  const [byExternalId, bySource] = await Promise.all([
    others.length === 0 ? new Map() : findByExternalId(collection, account, externalIdsOf(others)),
    sourced.length === 0 ? new Map() : findBySource(collection, account, sourced),
  ]);
  return new Map(
    entries.map((entry) => [
      entry,
      entry.source ? bySource.get(entry) : byExternalId.get(entry.content.external_id ?? ''),
    ]),
  );
}

const externalIdsOf = <R extends Stored>(entries: readonly Entry<R>[]): string[] =>
  entries.flatMap(({ content: { external_id } }) => (external_id === null ? [] : [external_id]));

async function findBySource<R extends Stored>(
  collection: Collection<R>,
  account: string,
  entries: readonly Entry<R>[],
): Promise<Map<Entry<R>, Found<R>>> {
  const ref = { account, type: collection.type };
  const idOf = (entry: Entry<R>) => entry.source?.id as string;
  const read = await readItems(
    records,
    entries.map((entry) => sourceKey(ref, idOf(entry))),
  );
  const linked = new Map(read.map(({ pk, id }) => [pk, id as string]));
  const recordIdOf = (entry: Entry<R>) =>
    linked.get(sourceKey(ref, idOf(entry)).pk) ?? entry.source?.recordId;
  const unknown = entries.filter((entry) => recordIdOf(entry) === undefined);
  const [states, taken] = await Promise.all([
    readRecords(
      collection,
      account,
      entries.flatMap((entry) => recordIdOf(entry) ?? []),
    ),
    unknown.length === 0 ? new Map() : findByExternalId(collection, account, externalIdsOf(unknown)),
  ]);
  const byId = new Map(states.map((state) => [state.record.id, state]));
  return new Map(
    entries.map((entry): [Entry<R>, Found<R>] => {
      const { external_id } = entry.content;
      const [id, wanted] = [recordIdOf(entry), entry.source?.recordId];
      const by = taken.get(external_id ?? '');
      if (id === undefined)
        return [entry, by && externalIdTaken(collection, external_id as string, by.record.id)];
      if (wanted !== undefined && wanted !== id) return [entry, sourceIdTaken(collection)];
      return [entry, byId.get(id) ?? notFound(resourceName(collection), id)];
    }),
  );
}

/** The records with these ids, as far as they are there. */
async function readRecords<R extends Stored>(
  collection: Collection<R>,
  account: string,
  ids: readonly string[],
): Promise<State<R>[]> {
  const ref = { account, type: collection.type };
  const positions = ids.flatMap((id) => positionOf(collection.prefix, id) ?? []);
  const items = await readItems(
    records,
    positions.map((position) => recordKey(ref, position)),
  );
  return items.map((item) => toState(collection, item));
}
