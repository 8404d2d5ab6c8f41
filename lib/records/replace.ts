import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { notFound } from '../apiError.ts';
import { dynamodb } from '../dynamodb/client.ts';
import { type Refusal, writeIf } from '../dynamodb/conflicts.ts';
import { updateOf } from '../dynamodb/expressions.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { base32 } from '../ids.ts';
import { type Collection, externalIdTaken, resourceName, type Stored } from './collection.ts';
import { putPointer } from './create/placement.ts';
import { type State, toAttributes, toState } from './item.ts';
import { type Place, pointerKey, recordKey } from './keys.ts';
import { positionOf } from './position.ts';

/** What became of an attempt to put one state in the place of another. */
export type Replaced<R extends Stored> =
  | { kind: 'replaced' }
  /** Somebody else was faster, with this. */
  | { kind: 'overtaken'; by: State<R> }
  /** Somebody else is at the same items. */
  | { kind: 'contended' };

/**
 * Puts `next` in the place of `current`, if that is still there. The pointers of external ids move in the same transaction.
 * @throws ApiError 400 when the external id belongs to another record, 404 when the record is not there
 */
export async function replaceState<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  current: State<R>,
  next: State<R>,
): Promise<Replaced<R>> {
  // A write that only notes when its source said the same is no change: it may be made twice, and leaves the mark alone.
  const isChange = next.record.version > current.record.version;
  const mark = isChange ? base32(randomBytes(10)) : undefined;
  const update = updateCommand(collection, place, current, next, mark);
  const refused =
    current.record.external_id === next.record.external_id
      ? await writeIf(() => dynamodb().send(new UpdateCommand(update)))
      : await moveWithPointers(collection, place, current, next, { Update: update });
  if (refused === undefined) return { kind: 'replaced' };
  if (refused === 'contended') return { kind: 'contended' };
  if (refused.item?.id !== next.record.id) throw notFound(resourceName(collection), next.record.id);
  // When the answer got lost, the SDK repeats the write, and the repetition meets what the first one did.
  if (isChange && refused.item.mark === mark) return { kind: 'replaced' };
  // The version that ours would be was made by somebody else, or that one is past: it may have been ours, and nobody can
  // tell, so neither "changed" nor "refused" would be true.
  if (refused.repeated && isChange && (refused.item.version as number) > next.record.version)
    throw new Error(
      'Whether a change took effect is unknown: its answer got lost, and others changed the record since',
    );
  return { kind: 'overtaken', by: toState(collection, refused.item) };
}

/** @returns as `writeIf` about the record, or that somebody else is at the same items */
async function moveWithPointers<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  { record: { external_id: before } }: State<R>,
  next: State<R>,
  update: Action,
): Promise<Refusal | 'contended' | undefined> {
  const { external_id: after, id } = next.record;
  const verdicts = await transact([
    update,
    ...(after === null ? [] : [putPointer(place, after, id)]),
    ...(before === null
      ? []
      : [{ Delete: { TableName: required(env.recordsTable), Key: pointerKey(place, before) } }]),
  ]);
  if (!verdicts) return undefined;
  const [record, pointer] = verdicts;
  // The transaction's token makes its repetition the same transaction.
  if (record?.kind === 'refused') return { item: record.item, repeated: false };
  // A twin of this request may just have taken the external id for the same record.
  if (after !== null && pointer?.kind === 'refused' && pointer.item?.id !== id)
    throw externalIdTaken(collection, after, pointer.item?.id as string);
  return 'contended';
}

/**
 * Only what differs is written, so that attributes of a newer release survive a change by an older one.
 * @param mark tells who made a version from anybody else, also from one who makes the same change at the same moment
 */
function updateCommand<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  current: State<R>,
  next: State<R>,
  mark: string | undefined,
) {
  const [before, after] = [toAttributes(collection, current), toAttributes(collection, next)];
  const changed = Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name]]),
  );
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf({
    ...changed,
    ...(mark === undefined ? {} : { mark }),
  });
  const { id, version } = current.record;
  return {
    TableName: required(env.recordsTable),
    Key: recordKey(place, positionOf(collection.prefix, id) as number),
    UpdateExpression,
    ConditionExpression: `#id = :id AND #version = :read AND ${
      current.statedAt === undefined ? 'attribute_not_exists(#stated_at)' : '#stated_at = :stated'
    }`,
    ExpressionAttributeNames: {
      ...ExpressionAttributeNames,
      '#id': 'id',
      '#version': 'version',
      '#stated_at': 'stated_at',
    },
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ':id': id,
      ':read': version,
      ...(current.statedAt === undefined ? {} : { ':stated': current.statedAt }),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}
