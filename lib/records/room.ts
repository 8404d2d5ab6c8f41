import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb } from '../dynamodb.ts';
import { env, required } from '../env.ts';
import { base32 } from '../ids.ts';
import { describeError, log } from '../log.ts';
import { writeMany } from './batch.ts';
import type { Stored } from './collection.ts';
import { despiteConflicts } from './conflicts.ts';
import type { Draft } from './draft.ts';
import { draftKey, type Place, ticketKey } from './keys.ts';
import { type Fate, fateOf, timeKey } from './queue.ts';
import type { Action } from './transact.ts';

// The waiting room of a collection. Every creator that lost a race puts its draft here, and a ticket for it into the
// queue: items of its own, where nobody contends for anything. Then one transaction places many who wait and marks the
// ticket of each, so a draft is placed at most once, whoever does it and however often it is tried. The queue is read by
// all who wait, so it holds nothing but tickets; the drafts are read by the one who places them.

/** How long DynamoDB keeps what a crash left behind; a deadline is a matter of seconds. */
const keptSeconds = 3600;

/** @returns the ticket; tickets sort by the time of entering, so that who waits longest is placed first */
export async function enterRoom<R extends Stored>(
  place: Place,
  draft: Draft<R>,
  deadline: number,
): Promise<string> {
  const now = Date.now();
  const ticket = `${timeKey(now)}-${base32(draft.seed)}`;
  const ttl = Math.ceil(now / 1000) + keptSeconds;
  await writeMany([
    { PutRequest: { Item: { ...draftKey(place, ticket), draft, ttl } } },
    { PutRequest: { Item: { ...ticketKey(place, ticket), deadline, ttl } } },
  ]);
  return ticket;
}

const isWaiting =
  'attribute_exists(pk) AND attribute_not_exists(placed_at) AND attribute_not_exists(taken_by)';

/** Marks a waiting draft as placed, within the transaction that places it. */
export const markPlaced = (place: Place, ticket: string, position: number): Action => ({
  Update: {
    TableName: required(env.recordsTable),
    Key: ticketKey(place, ticket),
    UpdateExpression: 'SET placed_at = :position',
    ConditionExpression: isWaiting,
    ExpressionAttributeValues: { ':position': position },
  },
});

/** Tells the owner of a waiting draft that its external id belongs to another record. */
export async function markTaken(place: Place, ticket: string, by: string): Promise<void> {
  const mark = new UpdateCommand({
    TableName: required(env.recordsTable),
    Key: ticketKey(place, ticket),
    UpdateExpression: 'SET taken_by = :by',
    ConditionExpression: isWaiting,
    ExpressionAttributeValues: { ':by': by },
  });
  await unlessSettled(() => dynamodb().send(mark));
}

/** Takes a draft back. @returns its fate: `waiting` means that it has not been placed and now never will be */
export async function withdraw(place: Place, ticket: string): Promise<Fate> {
  const removal = new DeleteCommand({
    TableName: required(env.recordsTable),
    Key: ticketKey(place, ticket),
    ConditionExpression: isWaiting,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const settled = await unlessSettled(() => dynamodb().send(removal));
  return settled ? fateOf(settled) : { kind: 'waiting' };
}

/** The item that refused a write which holds only for a waiting draft; undefined when the write took place. */
async function unlessSettled(write: () => Promise<unknown>): Promise<Record<string, unknown> | undefined> {
  try {
    await despiteConflicts(write);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item ? unmarshall(error.Item) : {};
    throw error;
  }
}

/** Removes what a draft that is settled or withdrawn leaves behind. Only tidiness: the rest is removed by its time to live. */
export async function leaveRoom(place: Place, ticket: string): Promise<void> {
  const keys = [ticketKey(place, ticket), draftKey(place, ticket)];
  await despiteConflicts(() => writeMany(keys.map((Key) => ({ DeleteRequest: { Key } })))).catch((error) =>
    log.warn('a draft stays behind in the waiting room', { error: describeError(error) }),
  );
}
