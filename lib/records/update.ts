import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb, updateOf } from '../dynamodb.ts';
import { env, required } from '../env.ts';
import { notFound } from '../errors.ts';
import { type Collection, type Content, externalIdTaken, resourceName, type Stored } from './collection.ts';
import { despiteConflicts, pause } from './conflicts.ts';
import { getRecord } from './get.ts';
import { assertFits, toAttributes, toRecord } from './item.ts';
import { type Place, pointerKey, recordKey } from './keys.ts';
import { putPointer } from './place.ts';
import { positionOf } from './position.ts';
import { type Action, transact } from './transact.ts';

/** What `change` makes of the current state; `updatedAt` is for records whose source says when it changed them. */
export type Change<R extends Stored> = (current: R) => { content: Content<R>; updatedAt?: string };

/**
 * Changes the record with an id.
 * @throws ApiError as `getRecord` and `changeRecord`
 */
export async function updateRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  id: string,
  change: Change<R>,
  deadline: number,
): Promise<R> {
  return changeRecord(collection, account, await getRecord(collection, account, id), change, deadline);
}

/**
 * Changes a record that was read as `known`. The change is applied to the state that it then replaces: when somebody
 * else was faster it is applied again, to theirs, so no change is lost. A change that changes nothing writes nothing.
 * @param deadline epoch milliseconds
 * @throws ApiError 400 when the external id belongs to another record, and whatever `change` throws
 */
export async function changeRecord<R extends Stored>(
  collection: Collection<R>,
  account: string,
  known: R,
  change: Change<R>,
  deadline: number,
): Promise<R> {
  const place = { account, type: collection.type };
  let current = known;
  while (Date.now() < deadline) {
    const { content, updatedAt = new Date().toISOString() } = change(current);
    if (isDeepStrictEqual({ ...current, ...content }, current)) return current;
    const next = { ...current, ...content, version: current.version + 1, updated_at: updatedAt };
    assertFits(collection, next);
    const overtaken = await replace(collection, place, current, next);
    if (!overtaken) return next;
    current = overtaken === 'unknown' ? await getRecord(collection, account, current.id) : overtaken;
  }
  throw new Error('The deadline passed while others changed the same record');
}

/** @returns undefined when `next` stands, otherwise the state that somebody else put in place of `current`, if it came along */
async function replace<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  current: R,
  next: R,
): Promise<R | 'unknown' | undefined> {
  const update = updateCommand(collection, place, current, next);
  if (current.external_id !== next.external_id)
    return replaceWithPointers(collection, place, current, next, { Update: update });
  try {
    await despiteConflicts(() => dynamodb().send(new UpdateCommand(update)));
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException)
      return overtaker(collection, current, error.Item && unmarshall(error.Item));
    throw error;
  }
}

/** The same with the external id's pointers, which move in one transaction with the record. */
async function replaceWithPointers<R extends Stored>(
  collection: Collection<R>,
  place: Place,
  current: R,
  next: R,
  update: Action,
): Promise<R | 'unknown' | undefined> {
  const actions = [update];
  if (next.external_id !== null) actions.push(putPointer(place, next.external_id, next.id));
  if (current.external_id !== null)
    actions.push({
      Delete: { TableName: required(env.recordsTable), Key: pointerKey(place, current.external_id) },
    });
  const [record, pointer] = (await transact(actions)) ?? [];
  if (!record) return undefined;
  if (record.kind === 'refused') return overtaker(collection, current, record.item);
  if (pointer?.kind === 'refused' && next.external_id !== null)
    throw externalIdTaken(collection, next.external_id, pointer.item?.id as string);
  await pause(20);
  return 'unknown';
}

/** Only what differs is written, so that attributes of a newer release survive a change by an older one. */
function updateCommand<R extends Stored>(collection: Collection<R>, place: Place, current: R, next: R) {
  const [before, after] = [toAttributes(collection, current), toAttributes(collection, next)];
  const changed = Object.fromEntries(
    Object.keys({ ...before, ...after })
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => [name, after[name]]),
  );
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf(changed);
  return {
    TableName: required(env.recordsTable),
    Key: recordKey(place, positionOf(collection.prefix, current.id) as number),
    UpdateExpression,
    ConditionExpression: '#id = :id AND #version = :read',
    ExpressionAttributeNames: { ...ExpressionAttributeNames, '#id': 'id', '#version': 'version' },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':id': current.id, ':read': current.version },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

function overtaker<R extends Stored>(
  collection: Collection<R>,
  current: R,
  item?: Record<string, unknown>,
): R {
  if (item?.id !== current.id) throw notFound(resourceName(collection), current.id);
  return toRecord(collection, item);
}
