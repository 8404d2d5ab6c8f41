import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { type CollectionRef, outcomeKey } from '../keys.ts';
import { removeTickets, timeToLive } from './commitQueue.ts';
import type { CommitPoint } from './draft.ts';

// What became of queued drafts. The transaction that commits a draft also puts its outcome, with the condition that it has none: so
// a draft is committed at most once, whichever process does it, however often it is tried, and whatever is still in the queue.

/**
 * What became of a draft. `taken`: its external id belongs to another record. `repeated`: its request has been answered
 * before. `together` is the number of drafts in the transaction.
 */
export type DraftOutcome =
  | ({ kind: 'committed'; together?: number } & CommitPoint)
  | { kind: 'taken'; by: string }
  | { kind: 'repeated' };

const hasNone = 'attribute_not_exists(outcome)';

/** The action that notes the outcome of a draft, in the transaction that commits it. */
export const outcomeAction = (
  ref: CollectionRef,
  ticket: string,
  outcome: DraftOutcome,
): Action & { Put: object } => ({
  Put: {
    TableName: required(env.recordsTable),
    Item: { ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() },
    ConditionExpression: hasNone,
  },
});

/** Notes the outcome of a draft that can never be committed. */
export async function noteOutcome(ref: CollectionRef, ticket: string, outcome: DraftOutcome): Promise<void> {
  const { Put } = outcomeAction(ref, ticket, outcome);
  await writeIf(() => dynamodb().send(new PutCommand(Put as ConstructorParameters<typeof PutCommand>[0])));
}

/** What the item of an outcome says. */
export interface OutcomeNote {
  /** Undefined while the draft waits. */
  outcome: DraftOutcome | undefined;
  /** The ticket of the leader in whose place this process is to lead at once; undefined when none has appointed it. */
  appointedBy: string | undefined;
  /** The ticket of the leader that passes its lease to this process with its last commit; undefined when none does. */
  succeeds: string | undefined;
}

export async function readOutcome(ref: CollectionRef, ticket: string): Promise<OutcomeNote> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.recordsTable),
      Key: outcomeKey(ref, ticket),
      ConsistentRead: true,
    }),
  );
  return {
    outcome: Item?.outcome as DraftOutcome | undefined,
    appointedBy: Item?.appointed_by as string | undefined,
    succeeds: Item?.succeeds as string | undefined,
  };
}

/**
 * Appoints a process that waits to lead at once. Until the lease has run out, no other process tries to lead.
 * @returns false when it was appointed or named before, or its draft does not wait any more
 */
export const appoint = (ref: CollectionRef, ticket: string, leader: string): Promise<boolean> =>
  noteLeader(ref, ticket, 'appointed_by', leader);

/**
 * Names a process that waits the successor of a leader: it leads when it gets the lease, or the lease ends.
 * @returns false when it was appointed or named before, or its draft does not wait any more
 */
export const nameSuccessor = (ref: CollectionRef, ticket: string, leader: string): Promise<boolean> =>
  noteLeader(ref, ticket, 'succeeds', leader);

async function noteLeader(
  ref: CollectionRef,
  ticket: string,
  as: 'appointed_by' | 'succeeds',
  leader: string,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: required(env.recordsTable),
    Key: outcomeKey(ref, ticket),
    UpdateExpression: `SET ${as} = :leader, #ttl = :ttl`,
    ConditionExpression: `${hasNone} AND attribute_not_exists(appointed_by) AND attribute_not_exists(succeeds)`,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':leader': leader, ':ttl': timeToLive() },
  });
  return (await writeIf(() => dynamodb().send(update))).committed;
}

/**
 * Withdraws a draft. The mark stays: a put that arrives later, after its sender gave up, finds the draft finished.
 * @returns the outcome that the draft already had; undefined when it was not committed, and now never will be
 */
export async function withdrawDraft(ref: CollectionRef, ticket: string): Promise<DraftOutcome | undefined> {
  const mark = new UpdateCommand({
    TableName: required(env.recordsTable),
    Key: outcomeKey(ref, ticket),
    UpdateExpression: 'SET outcome = :withdrawn, #ttl = :ttl',
    ConditionExpression: hasNone,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':withdrawn': { kind: 'withdrawn' }, ':ttl': timeToLive() },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const { refused } = await writeIf(() => dynamodb().send(mark));
  const outcome = refused?.item?.outcome as DraftOutcome | { kind: 'withdrawn' } | undefined;
  await removeTickets(ref, [ticket]);
  return outcome?.kind === 'withdrawn' ? undefined : outcome;
}
