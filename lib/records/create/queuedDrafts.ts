import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Stored } from '../collection.ts';
import { type CollectionRef, draftKey, ticketKey } from '../keys.ts';
import { removeItems, removeTickets } from './commitQueue.ts';
import type { CommitPoint, Draft } from './draft.ts';

// The drafts in the commit queue of a collection. A creator that lost a race writes its draft as an item of its own, which
// no other creator writes, and a ticket to the queue. Then one transaction commits many drafts and notes the outcome at each
// of them. The note has the condition that the draft still waits: so a draft is committed at most once, whichever process
// does it and however often it is tried. Many processes read the queue, so it holds nothing but tickets.

/**
 * What became of a draft. `taken`: its external id belongs to another record. `repeated`: its request has been answered
 * before.
 */
export type DraftOutcome =
  | ({ kind: 'committed' } & CommitPoint)
  | { kind: 'taken'; by: string }
  | { kind: 'repeated' };

/** A draft that waits, and its ticket. */
export interface QueuedDraft<R extends Stored> {
  ticket: string;
  draft: Draft<R>;
}

type Item = Record<string, unknown>;

/** How long DynamoDB keeps the items that a crash leaves behind. A deadline is a few seconds away. */
const keptSeconds = 3600;

const timeToLive = (): number => Math.ceil(Date.now() / 1000) + keptSeconds;

/** @param deadline epoch milliseconds; after it the client has got an error, so the draft must not be committed any more */
export async function enqueueDraft<R extends Stored>(
  ref: CollectionRef,
  { ticket, draft }: QueuedDraft<R>,
  deadline: number,
): Promise<void> {
  const ttl = timeToLive();
  await Promise.all([
    putNew({ ...draftKey(ref, ticket), draft, deadline, ttl }),
    enqueueTicket(ref, ticket, deadline),
  ]);
}

/** @param deadline epoch milliseconds; after it the ticket does not count */
export const enqueueTicket = (ref: CollectionRef, ticket: string, deadline: number): Promise<void> =>
  putNew({ ...ticketKey(ref, ticket), deadline, ttl: timeToLive() });

/** Only if it is not there: when the answer is lost, the SDK repeats the put, and the draft may be committed meanwhile. */
async function putNew(Item: Item): Promise<void> {
  const put = {
    TableName: required(env.recordsTable),
    Item,
    ConditionExpression: 'attribute_not_exists(pk)',
  };
  await writeIf(() => dynamodb().send(new PutCommand(put)));
}

/** The drafts of at most 100 tickets: those that wait, and the tickets of finished ones. A draft that is not there is in neither. */
export async function readDrafts<R extends Stored>(
  ref: CollectionRef,
  tickets: readonly string[],
): Promise<{ waiting: QueuedDraft<R>[]; finished: string[] }> {
  const items = await readMany(
    required(env.recordsTable),
    tickets.map((ticket) => draftKey(ref, ticket)),
  );
  const byKey = new Map(items.map((item) => [item.pk as string, item]));
  const found = tickets.map((ticket) => ({ ticket, item: byKey.get(draftKey(ref, ticket).pk) }));
  return {
    waiting: found.flatMap(({ ticket, item }) =>
      item && item.outcome === undefined ? [{ ticket, draft: item.draft as Draft<R> }] : [],
    ),
    finished: found.filter(({ item }) => item?.outcome !== undefined).map(({ ticket }) => ticket),
  };
}

const isWaiting = 'attribute_exists(pk) AND attribute_not_exists(outcome)';

/** The action that notes the outcome of a draft that still waits, in the transaction that commits it. */
export const outcomeAction = (
  ref: CollectionRef,
  ticket: string,
  outcome: DraftOutcome,
): Action & { Update: object } => ({
  Update: {
    TableName: required(env.recordsTable),
    Key: draftKey(ref, ticket),
    UpdateExpression: 'SET outcome = :outcome REMOVE draft',
    ConditionExpression: `${isWaiting} AND deadline > :now`,
    ExpressionAttributeValues: { ':outcome': outcome, ':now': Date.now() },
  },
});

/** Notes the outcome of a draft that can never be committed. */
export async function noteOutcome(ref: CollectionRef, ticket: string, outcome: DraftOutcome): Promise<void> {
  const { Update } = outcomeAction(ref, ticket, outcome);
  await writeIf(() =>
    dynamodb().send(new UpdateCommand(Update as ConstructorParameters<typeof UpdateCommand>[0])),
  );
}

/** What became of a draft; undefined while it waits. */
export async function readOutcome(ref: CollectionRef, ticket: string): Promise<DraftOutcome | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.recordsTable),
      Key: draftKey(ref, ticket),
      ProjectionExpression: 'outcome',
      ConsistentRead: true,
    }),
  );
  return Item?.outcome as DraftOutcome | undefined;
}

/**
 * Withdraws a draft. The outcome stays in its item: a put that arrives later, after its sender gave up, is then refused.
 * @returns the outcome that the draft already had; undefined when it was not committed, and now never will be
 */
export async function withdrawDraft(ref: CollectionRef, ticket: string): Promise<DraftOutcome | undefined> {
  const mark = new UpdateCommand({
    TableName: required(env.recordsTable),
    Key: draftKey(ref, ticket),
    UpdateExpression: 'SET outcome = :withdrawn, #ttl = :ttl REMOVE draft',
    ConditionExpression: 'attribute_not_exists(outcome)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':withdrawn': { kind: 'withdrawn' }, ':ttl': timeToLive() },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const refused = await writeIf(() => dynamodb().send(mark));
  const outcome = refused?.item?.outcome as DraftOutcome | { kind: 'withdrawn' } | undefined;
  await removeTickets(ref, [ticket]);
  return outcome?.kind === 'withdrawn' ? undefined : outcome;
}

/**
 * Removes a draft whose owner knows its outcome, and its ticket. The process that committed it removes the ticket too, but may
 * die before. A ticket without a draft would never be recognised as finished.
 */
export const removeDraft = (ref: CollectionRef, ticket: string): Promise<void> =>
  removeItems([draftKey(ref, ticket), ticketKey(ref, ticket)]);
