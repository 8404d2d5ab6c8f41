import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Stored } from '../collection.ts';
import { draftKey, type Place, ticketKey } from '../keys.ts';
import type { Draft, Placed } from './draft.ts';
import { removeTickets, tidy } from './queue.ts';

// The waiting room of a collection. A creator that lost a race leaves its draft in an item of its own, where nobody
// contends for anything, and a ticket in the queue. Then one transaction places many who wait, and notes at each draft
// what became of it: only at one that still waits, so a draft is placed at most once, whoever does it and however often it
// is tried. The queue is read by many, so it holds nothing but tickets.

/** What became of a draft. It is `taken` when its external id belongs to another record, `repeated` when its request has been answered before. */
export type Fate = ({ kind: 'placed' } & Placed) | { kind: 'taken'; by: string } | { kind: 'repeated' };

/** A draft that waits. Its ticket begins with the time of its coming, so that tickets sort by that. */
export interface Waiting<R extends Stored> {
  ticket: string;
  draft: Draft<R>;
}

type Item = Record<string, unknown>;

/** How long DynamoDB keeps what a crash left behind; a deadline is a matter of seconds. */
const keptSeconds = 3600;

const timeToLive = (): number => Math.ceil(Date.now() / 1000) + keptSeconds;

/** @param deadline epoch milliseconds; later than this the client has been told that it failed, so it must not be placed */
export async function enter<R extends Stored>(
  place: Place,
  { ticket, draft }: Waiting<R>,
  deadline: number,
): Promise<void> {
  const ttl = timeToLive();
  await Promise.all([
    putNew({ ...draftKey(place, ticket), draft, deadline, ttl }),
    putNew({ ...ticketKey(place, ticket), deadline, ttl }),
  ]);
}

/** Only if it is not there: when the answer gets lost the SDK repeats the put, and meanwhile the draft may have been placed. */
async function putNew(Item: Item): Promise<void> {
  const put = {
    TableName: required(env.recordsTable),
    Item,
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  await writeIf(() => dynamodb().send(new PutCommand(put)));
}

/** What the drafts of these tickets, at most 100, are: still waiting, or settled. One that is not there yet, or no more, is neither. */
export async function readDrafts<R extends Stored>(
  place: Place,
  tickets: readonly string[],
): Promise<{ waiting: Waiting<R>[]; settled: string[] }> {
  const items = await readMany(
    required(env.recordsTable),
    tickets.map((ticket) => draftKey(place, ticket)),
  );
  const byKey = new Map(items.map((item) => [item.pk as string, item]));
  const found = tickets.map((ticket) => ({ ticket, item: byKey.get(draftKey(place, ticket).pk) }));
  return {
    waiting: found.flatMap(({ ticket, item }) =>
      item && item.fate === undefined ? [{ ticket, draft: item.draft as Draft<R> }] : [],
    ),
    settled: found.filter(({ item }) => item?.fate !== undefined).map(({ ticket }) => ticket),
  };
}

const isWaiting = 'attribute_exists(pk) AND attribute_not_exists(fate)';

/** Notes what became of a draft that still waits: an action of the transaction that places it. */
export const settle = (place: Place, ticket: string, fate: Fate): Action & { Update: object } => ({
  Update: {
    TableName: required(env.recordsTable),
    Key: draftKey(place, ticket),
    UpdateExpression: 'SET fate = :fate REMOVE draft',
    ConditionExpression: `${isWaiting} AND deadline > :now`,
    ExpressionAttributeValues: { ':fate': fate, ':now': Date.now() },
  },
});

/** Tells the owner of a draft why it can never be placed. */
export async function refuse(place: Place, ticket: string, fate: Fate): Promise<void> {
  const { Update } = settle(place, ticket, fate);
  await writeIf(() =>
    dynamodb().send(new UpdateCommand(Update as ConstructorParameters<typeof UpdateCommand>[0])),
  );
}

/** What became of a draft; undefined while it waits. */
export async function readFate(place: Place, ticket: string): Promise<Fate | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.recordsTable),
      Key: draftKey(place, ticket),
      ProjectionExpression: 'fate',
      ConsistentRead: true,
    }),
  );
  return Item?.fate as Fate | undefined;
}

/**
 * Takes a draft back. A mark stays, so that a put which is still on its way, though its sender gave up on it, comes to
 * nothing.
 * @returns what had become of the draft; undefined means that it was not placed and now never will be
 */
export async function withdraw(place: Place, ticket: string): Promise<Fate | undefined> {
  const mark = new UpdateCommand({
    TableName: required(env.recordsTable),
    Key: draftKey(place, ticket),
    UpdateExpression: 'SET fate = :withdrawn, #ttl = :ttl REMOVE draft',
    ConditionExpression: 'attribute_not_exists(fate)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':withdrawn': { kind: 'withdrawn' }, ':ttl': timeToLive() },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const refused = await writeIf(() => dynamodb().send(mark));
  const fate = refused?.item?.fate as Fate | { kind: 'withdrawn' } | undefined;
  await removeTickets(place, [ticket]);
  return fate?.kind === 'withdrawn' ? undefined : fate;
}

/**
 * Removes what a draft leaves behind of which its owner knows the fate. Whoever placed it means to remove its ticket too,
 * but may die before; and a ticket whose draft is gone tells nobody that it can be removed.
 */
export const leave = (place: Place, ticket: string): Promise<void> =>
  tidy([draftKey(place, ticket), ticketKey(place, ticket)]);
