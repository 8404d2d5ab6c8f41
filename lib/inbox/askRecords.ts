import * as z from 'zod';
import { parseInvocation } from '../aws/invocation.ts';
import { fewAtOnce } from '../concurrency.ts';
import { type ResourcePath, resourcePaths, typeOfPath } from '../contract/inboxContract.ts';
import { readByKey, readItem } from '../dynamodb/tableHandle.ts';
import { records } from '../dynamodb/tables.ts';
import { write } from '../dynamodb/transact.ts';
import { presentMessageOf } from '../outbox/outboxMessage.ts';
import { readCount } from '../records/counter.ts';
import { livingEnd, readByIds } from '../records/get.ts';
import { recordsOf } from '../records/listByOffset.ts';
import { completeRange } from '../records/positionRange.ts';
import { isDeleted } from '../records/recordItem.ts';
import { databaseKey, sourceKey } from '../records/recordKeys.ts';
import { isKnown, type SourceItem } from '../records/source.ts';
import { account, integer } from '../schemas/fields.ts';
import { lazy } from '../schemas/lazy.ts';
import { list, object, orNull } from '../schemas/structure.ts';
import { externalId } from '../schemas/texts.ts';

/** The records of one response. A record has at most 190 KB, and a function returns at most 6 MB. */
const recordsAtOnce = 25;

const collection = () => ({ account: account(), resource: z.enum(resourcePaths) });

const questions = /* @__PURE__ */ lazy(() => ({
  rows: object({ ...collection(), source_ids: list(externalId(), { min: 1, max: 100 }) }),
  named: object({ ...collection(), ids: list(externalId(), { min: 1, max: 100 }) }),
  records: object({ ...collection(), from: integer({ min: 0 }) }),
  progress: object({
    database: externalId(),
    previous: orNull(externalId()),
    next: orNull(externalId()),
    keys: z.record(z.string(), integer({ min: 0 })),
  }),
}));

/**
 * Tells your app what the API knows, so that it can update a database that was restored from a backup. The question is one of four: how
 * far a database has come (and had come when it last asked), which state rows have, which rows records have, or which records an account
 * has.
 * @throws InputError
 */
export async function askRecords(input: unknown) {
  const { rows, named, records: all, progress } = questions();
  const sent = Object(input) as object;
  if ('database' in sent) return noteProgress(parseInvocation(progress, input));
  if ('source_ids' in sent) return readRows(parseInvocation(rows, input));
  if ('ids' in sent) return readNamed(parseInvocation(named, input));
  return readRecords(parseInvocation(all, input));
}

interface Progress {
  database: string;
  /** The last beat of the database that was confirmed; `null` for none. */
  previous: string | null;
  /** Its next beat. `null` only reads. */
  next: string | null;
  /** The highest keys that its tables have assigned. */
  keys: Record<string, number>;
}

/**
 * Records the next beat of a database, if the database's previous beat is the last one known here. Otherwise, one of the two was restored
 * from a backup.
 * @returns the last beat known after this call, and the keys that were stored with the previous one
 */
async function noteProgress({ database, previous, next, keys }: Progress) {
  const key = databaseKey(database);
  const known = await readItem<{ beat: string; keys: Progress['keys'] }>(records, key);
  const beat = known?.beat ?? null;
  const isNext = next !== null && beat === previous;
  if (isNext) await write(records.update(key, { beat: next, keys }, { if: { beat: known?.beat } }));
  return { beat: isNext ? next : beat, keys: known?.keys ?? {} };
}

type Asked = { account: string; resource: ResourcePath };

/** Returns the record state of each known row, by your app's ids of the rows. */
async function readRows({ account, resource, source_ids }: Asked & { source_ids: string[] }) {
  const ref = { account, type: typeOfPath[resource] };
  const itemAt = await readByKey<SourceItem>(
    records,
    source_ids.map((sourceId) => sourceKey(ref, sourceId)),
  );
  const known = [...new Set(source_ids)].flatMap((source_id) => {
    const item = itemAt(sourceKey(ref, source_id));
    return item && isKnown(item) ? [{ source_id, id: item.id ?? null }] : [];
  });
  const items = await readByIds(
    ref,
    known.flatMap(({ id }) => id ?? []),
  );
  const rows = known.map(({ source_id, id }) => {
    const found = items.get(id);
    const item = isDeleted(found) ? undefined : found;
    const { version = null, revision = null } = (item ?? {}) as { version?: number; revision?: number };
    return { source_id, id, deleted: !item, version, revision };
  });
  return { rows };
}

/** Returns the row of each record that the account has or had. After a merge, that is the row of the record that is left. */
async function readNamed({ account, resource, ids }: Asked & { ids: string[] }) {
  const ref = { account, type: typeOfPath[resource] };
  const found = await readByIds(ref, ids);
  const rows = await fewAtOnce(ids, async (id) => {
    const item = found.get(id);
    if (!item) return [];
    const end = isDeleted(item) ? await livingEnd(ref, item) : item;
    return [{ id, source_id: end?.source_id ?? null, deleted: isDeleted(item) }];
  });
  return { rows: rows.flat() };
}

/**
 * Returns the records from a position on, in the format of the outbox. `next` is the position at which to continue; `null` after the last
 * record.
 */
async function readRecords({ account, resource, from }: Asked & { from: number }) {
  const ref = { account, type: typeOfPath[resource] };
  const count = await readCount(ref);
  const to = Math.min(from + recordsAtOnce, count);
  const items = from < to ? await completeRange(recordsOf(ref), from, to) : [];
  return {
    records: items.filter((item) => !isDeleted(item)).map((item) => presentMessageOf(ref, item)),
    next: to < count ? from + items.length : null,
  };
}
