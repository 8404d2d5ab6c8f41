import { queryPages } from '../dynamodb/query.ts';
import { readItems } from '../dynamodb/tableHandle.ts';
import { index } from '../dynamodb/tables.ts';
import { writePut, writeUpdate } from '../dynamodb/transact.ts';
import { badRequest } from '../errors/apiError.ts';
import { constant, ours } from '../errors/constant.ts';
import { problemOf } from '../errors/problem.ts';
import { CollectionMap } from '../records/collectionMap.ts';
import type { CollectionRef } from '../records/recordKeys.ts';
import type { IndexedFields } from '../resources/collection.ts';
import { noteCollection } from './collectionNotes.ts';
import type { FilterConditions } from './conditions.ts';
import { filtersNote } from './indexKeys.ts';

// A new filter has no sets of the records that were stored before it. So each collection has a note of its complete filters: those that were
// maintained since its first record, or built since. A list refuses the other filters.

type Sources = Record<string, unknown>;

const attributeOf = (filter: string): `filter_${string}` => `filter_${filter}`;

/** Returns the filters of a collection: the name of each, with the description of its source that the note stores. */
const sourcesOf = <R>({ values, times }: IndexedFields<R>): Sources =>
  Object.fromEntries([...values, ...times].map(({ name, source }) => [attributeOf(name), source]));

/** The collections whose note is correct for this release. */
const noted = new CollectionMap<true>();

/**
 * Updates the note of a collection whose changes this release indexes. It removes filters that this release does not maintain, because after a
 * rollback their sets would miss changes.
 * @param hasFirst whether the first record of the collection is among the changes
 */
export async function noteFilters<R>(
  ref: CollectionRef,
  fields: IndexedFields<R>,
  hasFirst: boolean,
): Promise<void> {
  if (noted.get(ref)) return;
  const [key, own] = [filtersNote(ref), sourcesOf(fields)];
  const [note] = await readItems(index, [key]);
  // The collection may be older than its filters, so only a build may note them.
  if (!note && !hasFirst) return;
  if (note) {
    const gone = Object.keys(note).filter((name) => !(name in key) && note[name] !== own[name]);
    if (gone.length > 0)
      await writeUpdate(index.update(key, Object.fromEntries(gone.map((name) => [name, undefined]))));
  } else {
    await noteCollection(ref);
    await writePut(index.put({ ...key, ...own }, { if: { pk: undefined } }));
  }
  noted.set(ref, true);
}

export async function noteBuilt<R>(ref: CollectionRef, fields: IndexedFields<R>): Promise<void> {
  await writeUpdate(index.update(filtersNote(ref), sourcesOf(fields)));
}

/** The notes that this process has read. A complete filter stays complete while a release reads it. */
const known = new CollectionMap<Sources>();

/**
 * Checks that the filters of a query are complete. If a collection has no note, they are, because the index contains none of its records yet.
 * @throws ApiError 400 if one is not complete
 */
export async function assertComplete(ref: CollectionRef, { values, times }: FilterConditions): Promise<void> {
  const asked = [...values, ...times].map(({ field }) => field);
  const missingIn = (note: Sources) => asked.filter(({ name, source }) => note[attributeOf(name)] !== source);
  if (asked.length === 0 || missingIn(known.get(ref) ?? {}).length === 0) return;
  const { value: [note] = [] } = await queryPages(index.where(filtersNote(ref))).next();
  if (!note) return;
  known.set(ref, note);
  const missing = missingIn(note);
  if (missing.length > 0)
    throw badRequest(
      missing.map(({ name }) =>
        problemOf(
          ours(name),
          constant`is not ready: records that were stored before this filter are not in its index yet; leave it out, or try again later`,
        ),
      ),
    );
}
