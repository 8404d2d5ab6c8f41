import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '../../dynamodb/conflicts.ts';
import type { Stored } from '../../resources/collection.ts';
import { type Counter, claimLease, isLed, readCounter } from '../counter.ts';
import type { Draft } from '../recordItem.ts';
import type { AccountCollection, CollectionRef } from '../recordKeys.ts';
import { QueuedDraft } from './commit.ts';
import { Leader, type LeaderStart, leaseMs } from './leader.ts';
import {
  contendedMin,
  type DraftOutcome,
  newTicket,
  noteContention,
  type OutcomeNote,
  putIntoQueue,
  type Queued,
  readOutcome,
  withdrawDraft,
} from './queue.ts';

/** The first and the later pauses, as multiples of the time that a new draft waits. Pauses grow with every check. */
const firstPause = 1.2;
const nextPause = 0.35;
const pauseGrowth = 1.4;

/** The longest pause, in calls. An appointed process must not keep the others waiting for long. */
const pauseCallsMax = 8;

/** A bulk waits to lead, not for a commit, and the wait is unpredictable. Bulks are few, so they can check often. */
const bulkPauseCalls = 2;

/** The pause between two reads of a lease that is about to be passed on. Only one process reads it, and only for a moment. */
const leasePauseCalls = 0.25;

/** The longest pause, however slow the database is. */
const pauseMaxMs = 1000;

/** The assumed duration of a call, until one was measured. */
const usualCallMs = 5;

/** The first lease lasts for this many calls: enough to read the queue and to commit, which then renews the lease. */
const claimedCalls = 12;

interface Waiting<R extends Stored, Result> {
  queued: Queued<R>;
  /** @returns undefined if its own draft is not finished yet */
  lead(start: LeaderStart): Promise<Result | undefined>;
  resultOf(note: OutcomeNote): Result | undefined;
  /** The result if this process was named the successor but another process leads; undefined to keep waiting. */
  passedOver?: Result;
}

/**
 * A process with an entry in the commit queue. While another process leads, it only reads its own outcome now and then. It leads if the current
 * leader appoints it or passes it the lease, or if nobody leads and it claims the lease first.
 */
export class Follower<R extends Stored, Result> {
  private readonly ref: CollectionRef;
  private readonly waiting: Waiting<R, Result>;
  private callMs = usualCallMs;
  /** The time until which another process may lead, epoch milliseconds. */
  private until = 0;
  private waitMs = 0;
  private appointedBy: string | undefined;
  private successorOf: string | undefined;
  private wasAppointed = false;

  constructor(ref: CollectionRef, waiting: Waiting<R, Result>) {
    this.ref = ref;
    this.waiting = waiting;
  }

  /** @throws Error at the deadline */
  async follow(): Promise<Result> {
    const { queued } = this.waiting;
    let cause: unknown;
    for (let checks = 0, isQueued = false; Date.now() < queued.deadline; checks++)
      try {
        if (!isQueued) await this.enqueue();
        isQueued = true;
        const result = await this.check(checks);
        if (result !== undefined) return result;
      } catch (error) {
        if (!isTransient(error)) throw error;
        cause = error;
        await pauseAbout(this.pauseMs(checks + 1));
      }
    throw new Error('The deadline passed while others created records in the same collection', { cause });
  }

  /** Enters the queue. The counter may be older than the entry, because a leader reads the queue once more before it ends its lease. */
  private async enqueue(): Promise<void> {
    const started = performance.now();
    // Every newcomer reads the counter, and its partition has limited read capacity. An eventually consistent read costs half.
    const reading = readCounter(this.ref, { consistent: false });
    const [counter] = await Promise.all([reading, putIntoQueue(this.ref, this.waiting.queued)]);
    this.callMs = performance.now() - started;
    if (isLed(counter)) this.noteLease(counter);
  }

  private noteLease({ lease }: Counter): void {
    if (lease) ({ until: this.until, waitMs: this.waitMs } = lease);
  }

  private async check(checks: number): Promise<Result | undefined> {
    if (this.successorOf !== undefined) return this.checkLease(this.successorOf);
    if (this.appointedBy !== undefined || Date.now() >= this.until) {
      const result = await this.leadIfNext();
      if (result !== undefined) return result;
    }
    await pauseAbout(this.pauseMs(checks));
    const started = performance.now();
    const note = await readOutcome(this.ref, this.waiting.queued.ticket);
    this.callMs = performance.now() - started;
    // A process is appointed once. It may have led since then and given way.
    this.appointedBy = this.wasAppointed ? undefined : note.appointedBy;
    this.successorOf = note.successorOf;
    return this.waiting.resultOf(note);
  }

  /** Leads if the leader that named this process its successor no longer leads. That leader is about to end with its last commit. */
  private async checkLease(predecessor: string): Promise<Result | undefined> {
    const started = performance.now();
    const seen = await readCounter(this.ref);
    this.callMs = performance.now() - started;
    if (isLed(seen) && seen.lease?.leader === predecessor) {
      await pauseAbout(leasePauseCalls * this.callMs);
      return undefined;
    }
    const counter = await this.claim(seen);
    return counter === undefined ? this.waiting.passedOver : this.lead(counter);
  }

  private async leadIfNext(): Promise<Result | undefined> {
    const predecessor = this.appointedBy;
    this.appointedBy = undefined;
    this.wasAppointed ||= predecessor !== undefined;
    if (predecessor !== undefined) return this.lead(await readCounter(this.ref), predecessor);
    // Many processes read the counter after a lease expires, and its partition has limited read capacity. An eventually consistent read before
    // the claim costs half as much as a strongly consistent one.
    const counter = await this.claim(await readCounter(this.ref, { consistent: false }));
    return counter && this.lead(counter);
  }

  private lead(counter: Counter, predecessor?: string): Promise<Result | undefined> {
    const { ticket, deadline } = this.waiting.queued;
    return this.waiting.lead({ ticket, predecessor, counter, callMs: this.callMs, deadline });
  }

  /** Claims the lease, unless it already has it. @returns undefined if another process leads */
  private async claim(seen: Counter): Promise<Counter | undefined> {
    const { ticket } = this.waiting.queued;
    const counter = isLed(seen)
      ? seen
      : await claimLease(this.ref, ticket, leaseMs(claimedCalls * this.callMs));
    if (counter.lease?.leader === ticket) return counter;
    this.noteLease(counter);
    return undefined;
  }

  /** Returns the next pause. It grows with every check and with the latency of the database, because checks add load. */
  private pauseMs(checks: number): number {
    const { callMs, waitMs } = this;
    const { draft, deadline } = this.waiting.queued;
    const left = deadline - Date.now();
    if (draft === undefined) return Math.min(left, pauseMaxMs, bulkPauseCalls * callMs);
    if (checks === 0) return Math.min(left, Math.max(callMs, waitMs * firstPause));
    const grown = Math.max(callMs, waitMs * nextPause) * pauseGrowth ** (checks - 1);
    return Math.min(left, pauseMaxMs, pauseCallsMax * callMs, grown);
  }
}

/** Waits for a little less than `ms`, at random, so that processes that arrived together do not check together. */
const pauseAbout = (ms: number): Promise<unknown> => sleep(Math.max(1, ms * (0.6 + 0.4 * Math.random())));

/**
 * Creates a record while others create too. If a hundred creators retried alone, each would win one race in a hundred. Instead, one of the
 * waiting processes leads and commits all drafts of the queue. The others check now and then whether their draft is committed.
 * @throws Error at the deadline; the draft is then never committed
 */
export async function createInGroup<R extends Stored>(
  ref: AccountCollection<R>,
  draft: Draft<R>,
  deadline: number,
  ticket = newTicket(),
): Promise<DraftOutcome> {
  const follower = new Follower<R, DraftOutcome>(ref, {
    queued: { ticket, deadline, draft },
    lead: async (start: LeaderStart) => {
      const own = new QueuedDraft<R>(ticket);
      await new Leader(ref, start, own).lead();
      return own.outcome;
    },
    resultOf: ({ outcome }) => outcome,
  });
  try {
    const outcome = await follower.follow();
    if (outcome.kind === 'committed' && (outcome.together ?? 0) >= contendedMin) noteContention(ref);
    return outcome;
  } catch (error) {
    // Whatever failed, the client's response depends on whether the draft is in the collection.
    const outcome = await withdrawDraft(ref, ticket);
    if (!outcome) throw error;
    return outcome;
  }
}
