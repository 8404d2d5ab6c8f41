import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { eraseAnswer, hasAnswer } from '../../dynamodb/idempotency.ts';
import { records } from '../../dynamodb/tables.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import type { Collection, Content, Stored } from '../../resources/collection.ts';
import { editAttributes, erasedEdits } from '../edits.ts';
import { getItem } from '../get.ts';
import { toAttributes, toRecord } from '../item.ts';
import { type CollectionRef, erasureKey, pointerKey } from '../keys.ts';
import { byErasure } from '../origin.ts';

/** An erasure of a record. */
export interface Erasure {
  /** RFC 3339 UTC. */
  erasedAt: string;
  /** The version that it made. */
  version: number;
  /** Whether the record had been erased before, and had nothing left to erase. */
  repeated: boolean;
  /** What else was erased now. */
  externalId: boolean;
  keptAnswer: boolean;
}

type Item = Record<string, unknown>;

/**
 * Blanks all fields of a record that clients and other systems set, as a new version. The pointer of its external id is deleted, the
 * kept answer of its create is blanked, and the erasure is noted for restores, all in one transaction. A record that has new content
 * since its erasure is erased again.
 * @param deadline epoch milliseconds
 * @throws ApiError 404 when the account has no record with this id
 */
export async function eraseRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  id: string,
  deadline: number,
): Promise<Erasure> {
  const ref = { account, type: collection.type };
  return untilCommitted(deadline, async () => {
    const item = await getItem(collection, account, id);
    if (isErased(collection, item)) return repetitionOf(item);
    const name = item.kept_answer as string | undefined;
    const keptAnswer = name !== undefined && (await hasAnswer(records, account, name));
    const next = { erasedAt: new Date().toISOString(), version: (item.version as number) + 1 };
    const pointer = item.external_id as string | undefined;
    const { refused } = await transact([
      blankItem(collection, item, next),
      records.put(noteOf(ref, id, next)),
      ...(pointer === undefined ? [] : [records.delete(pointerKey(ref, pointer))]),
      ...(keptAnswer ? [eraseAnswer(records, account, name, createdBlank(collection, item))] : []),
    ]);
    return refused ? undefined : { ...next, repeated: false, externalId: pointer !== undefined, keptAnswer };
  });
}

const noteOf = ({ account }: CollectionRef, id: string, { erasedAt, version }: NewVersion): Item => ({
  ...erasureKey(account, id),
  erased_at: erasedAt,
  // Not `version`: the stream hands over every item that has one.
  erased_version: version,
});

type NewVersion = Pick<Erasure, 'erasedAt' | 'version'>;

/** The attributes that are left of a blank record. */
const blankAttributes = ['id', 'version', 'created_at', 'updated_at'];

/** Whether the record was erased and has got no new content since. */
const isErased = <R extends Stored>(collection: Collection<R>, item: Item): boolean =>
  item.erased_at !== undefined &&
  item.source_id === undefined &&
  Object.keys(
    toAttributes(collection, { record: toRecord(collection, item), statedAt: undefined, origin: undefined }),
  ).every((name) => blankAttributes.includes(name));

const repetitionOf = ({ erased_at, version }: Item): Erasure => ({
  erasedAt: erased_at as string,
  version: version as number,
  repeated: true,
  externalId: false,
  keptAnswer: false,
});

/** Removes the content of an item, if it still has the version that was read. */
function blankItem<R extends Stored>(
  collection: Collection<R>,
  { pk, sk, id, version: read }: Item,
  { erasedAt, version }: NewVersion,
): Action {
  const content = Object.keys(collection.blank satisfies Partial<Content<R>>);
  return records.update(
    { pk: pk as string, sk: sk as string },
    {
      ...Object.fromEntries(content.map((name) => [name, undefined])),
      kept_answer: undefined,
      source_id: undefined,
      ...editAttributes(erasedEdits(collection, { version, at: erasedAt })),
      version,
      updated_at: erasedAt,
      erased_at: erasedAt,
      origin: byErasure,
    },
    { if: { id, version: read } },
  );
}

/** The record as its create would have answered, without content. */
const createdBlank = <R extends Stored>(collection: Collection<R>, { id, created_at }: Item): R =>
  toRecord(collection, { id, version: 1, created_at, updated_at: created_at });
