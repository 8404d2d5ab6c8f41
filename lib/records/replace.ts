import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../dynamodb/client.ts';
import { writeIf } from '../dynamodb/conflicts.ts';
import { updateOf } from '../dynamodb/expressions.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { notFound } from '../errors.ts';
import { type Collection, externalIdTaken, resourceName, type Stored } from './collection.ts';
import { type State, toAttributes, toState } from './item.ts';
import { type Place, pointerKey, recordKey } from './keys.ts';
import { putPointer } from './placement.ts';
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
  const update = updateCommand(collection, place, current, next);
  if (current.record.external_id !== next.record.external_id)
    return replaceWithPointers(collection, place, current, next, { Update: update });
  const refused = await writeIf(() => dynamodb().send(new UpdateCommand(update)));
  return refused ? overtaken(collection, next, refused.item) : { kind: 'replaced' };
}

async function replaceWithPointers<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  { record: { external_id: before } }: State<R>,
  next: State<R>,
  update: Action,
): Promise<Replaced<R>> {
  const { external_id: after, id } = next.record;
  const verdicts = await transact([
    update,
    ...(after === null ? [] : [putPointer(place, after, id)]),
    ...(before === null
      ? []
      : [{ Delete: { TableName: required(env.recordsTable), Key: pointerKey(place, before) } }]),
  ]);
  if (!verdicts) return { kind: 'replaced' };
  const [record, pointer] = verdicts;
  if (record?.kind === 'refused') return overtaken(collection, next, record.item);
  // A twin of this request may just have taken the external id for the same record.
  if (after !== null && pointer?.kind === 'refused' && pointer.item?.id !== id)
    throw externalIdTaken(collection, after, pointer.item?.id as string);
  return { kind: 'contended' };
}

/** Only what differs is written, so that attributes of a newer release survive a change by an older one. */
function updateCommand<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  current: State<R>,
  next: State<R>,
) {
  const [before, after] = [toAttributes(collection, current), toAttributes(collection, next)];
  const changed = Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name]]),
  );
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf(changed);
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

function overtaken<R extends Stored>(
  collection: Collection<R>,
  next: State<R>,
  item: Record<string, unknown> | undefined,
): Replaced<R> {
  if (item?.id !== next.record.id) throw notFound(resourceName(collection), next.record.id);
  const by = toState(collection, item);
  // When the answer got lost, the SDK repeats the write, and the repetition meets what the first one did.
  return isDeepStrictEqual(by, next) ? { kind: 'replaced' } : { kind: 'overtaken', by };
}
