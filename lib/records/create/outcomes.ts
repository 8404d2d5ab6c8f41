import { absent } from '../../dynamodb/expressions.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { records } from '../../dynamodb/tables.ts';
import { type ActionOf, writePut, writeUpdate } from '../../dynamodb/transact.ts';
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

const hasNone = { outcome: absent };

/** The action that notes the outcome of a draft, in the transaction that commits it. */
export const outcomeAction = (ref: CollectionRef, ticket: string, outcome: DraftOutcome): ActionOf<'Put'> =>
  records.put({ ...outcomeKey(ref, ticket), outcome, ttl: timeToLive() }, { if: hasNone });

/** Notes the outcome of a draft that can never be committed. */
export async function noteOutcome(ref: CollectionRef, ticket: string, outcome: DraftOutcome): Promise<void> {
  await writePut(outcomeAction(ref, ticket, outcome));
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
  const item = await readItem(records, outcomeKey(ref, ticket));
  return {
    outcome: item?.outcome as DraftOutcome | undefined,
    appointedBy: item?.appointed_by as string | undefined,
    succeeds: item?.succeeds as string | undefined,
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
  const update = records.update(
    outcomeKey(ref, ticket),
    { [as]: leader, ttl: timeToLive() },
    { if: { ...hasNone, appointed_by: absent, succeeds: absent } },
  );
  return (await writeUpdate(update)).committed;
}

/**
 * Withdraws a draft. The mark stays: a put that arrives later, after its sender gave up, finds the draft finished.
 * @returns the outcome that the draft already had; undefined when it was not committed, and now never will be
 */
export async function withdrawDraft(ref: CollectionRef, ticket: string): Promise<DraftOutcome | undefined> {
  const mark = records.update(
    outcomeKey(ref, ticket),
    { outcome: { kind: 'withdrawn' }, ttl: timeToLive() },
    { if: hasNone, showsItem: true },
  );
  const { refused } = await writeUpdate(mark);
  const outcome = refused?.item?.outcome as DraftOutcome | { kind: 'withdrawn' } | undefined;
  await removeTickets(ref, [ticket]);
  return outcome?.kind === 'withdrawn' ? undefined : outcome;
}
