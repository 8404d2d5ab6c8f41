import { pause } from '../../dynamodb/conflicts.ts';
import { writePut } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../logs/metrics.ts';
import type { Stored } from '../../resources/collection.ts';
import { type Counter, counters, endLease, type Lease, readCounter } from '../counter.ts';
import type { Draft } from '../recordItem.ts';
import type { AccountCollection, CollectionRef } from '../recordKeys.ts';
import { type CommitOutcome, type Committable, commitAt, type OwnDrafts, packDrafts } from './commit.ts';
import {
  contendedMin,
  type DraftOutcome,
  noteContention,
  noteLeader,
  outcomeAction,
  type Queued,
  QueueView,
} from './queue.ts';

/** A leader gives way after this many consecutive transactions without effect. */
const lossesMax = 4;

/** The pause after a loss, as a fraction of a commit's duration. It doubles with every loss. */
const lossPause = 0.25;

/** The lease lasts for this many commits, each as long as the last one. */
const leaseCommits = 4;
const leaseMinMs = 100;
const leaseMaxMs = 5000;

/** Returns a lease duration near `ms`, in whole milliseconds. It survives a slow call, and a leader's death costs little time. */
export const leaseMs = (ms: number): number => Math.min(leaseMaxMs, Math.max(leaseMinMs, Math.ceil(ms)));

/** A draft that arrives during a commit waits for the end of that commit, and for the next one. */
const commitsToWait = 1.5;

/** How many drafts of others a bulk includes in each transaction. Both make progress this way. */
const othersMax = 16;

export interface LeaderStart {
  ticket: string;
  /** The leader that appointed this one. Its lease no longer counts. */
  predecessor: string | undefined;
  counter: Counter;
  callMs: number;
  /** The leader's own deadline, epoch milliseconds. */
  deadline: number;
}

/**
 * Why a leader stops: nothing waits, a successor leads, it gave way because another leader commits, its own drafts are committed and it does
 * not continue for others, or its deadline has passed.
 */
type End = 'empty' | 'successor' | 'gave way' | 'done' | 'deadline';

/**
 * The leader of a collection's commit queue. It commits the waiting drafts in consecutive transactions, each with as many drafts as fit. During
 * each commit, it reads the drafts that arrived in the meantime. It stops when nothing waits any longer, or a while after its own drafts are
 * committed. It then appoints the next leader. A bulk names its successor in advance and passes it the lease with its last commit.
 *
 * Correctness does not depend on a single leader. The condition on the counter keeps positions dense, and the condition on the outcome prevents a
 * second commit of a draft. Two leaders only slow each other down.
 */
export class Leader<R extends Stored> {
  private readonly ref: AccountCollection<R>;
  private readonly start: LeaderStart;
  private readonly own: OwnDrafts<R>;
  private readonly queue: QueueView<R>;
  private readonly succession: Succession<R>;
  private counter: Counter;
  private commitMs: number;
  private losses = 0;
  private isContended = false;
  private doneAt: number | undefined;

  constructor(ref: AccountCollection<R>, start: LeaderStart, own: OwnDrafts<R>) {
    this.ref = ref;
    this.start = start;
    this.own = own;
    this.queue = new QueueView(ref);
    this.succession = new Succession(ref, start.ticket, this.queue);
    this.counter = start.counter;
    this.commitMs = leaseCommits * start.callMs;
  }

  async lead(): Promise<void> {
    // A leader that already holds drafts reads the queue during its first commit.
    if (this.own.rest.length === 0) await this.queue.read();
    let end: End | undefined;
    while (end === undefined) end = await this.turn();
    if (end === 'gave way') await this.succession.endLease();
    else if (end !== 'successor') await this.succession.handOver();
    await this.queue.removalsDone();
  }

  /** Commits the next batch. @returns why the leader stops after it; undefined if it continues */
  private async turn(): Promise<End | undefined> {
    if (Date.now() >= this.start.deadline) return 'deadline';
    const batch = this.packBatch();
    if (batch.length === 0) return 'empty';
    const preparing = this.prepareSuccession(batch);
    // A leader that stops after this commit does not need the queue.
    const looking = this.successorOf(batch) === undefined ? this.queue.readOrEmpty() : undefined;
    const end = await this.commit(batch);
    await Promise.all([looking, preparing]);
    if (this.own.isDone && this.succession.isSettled) return 'successor';
    if (end !== undefined || !this.own.isDone) return end;
    return (await this.goesOn()) ? undefined : 'done';
  }

  /** Looks for a successor during the commits of a bulk, which can predict its end. The successor needs a moment to learn that it is next. */
  private async prepareSuccession(batch: readonly Committable<R>[]): Promise<void> {
    const beside = new Set(batch.map(({ ticket }) => ticket));
    if (this.own.rest.length > 0) await this.succession.prepare(beside, this.isLastOfOwn(batch));
  }

  private packBatch(): Committable<R>[] {
    const own = this.own.rest.map((draft) => ({ draft }));
    const others = this.queue.waiting().flatMap(({ ticket, draft }) => (draft ? [{ ticket, draft }] : []));
    return packDrafts([...(own.length > 0 ? others.slice(0, othersMax) : others), ...own]);
  }

  private async commit(batch: readonly Committable<R>[]): Promise<'gave way' | undefined> {
    const started = performance.now();
    const lease = this.leaseFor(batch);
    const outcome = await commitAt(this.ref, this.counter, batch, lease);
    if (outcome.kind === 'lost') return this.afterLoss(batch, outcome);
    this.commitMs = performance.now() - started;
    this.losses = 0;
    if (outcome.kind === 'refused') await this.noteRefused(batch, outcome.outcomes);
    else {
      this.counter = { count: outcome.first + batch.length, at: outcome.at };
      counters.set(this.ref, this.counter);
      const { at, first } = outcome;
      for (const [i, one] of batch.entries())
        this.finish(one, { kind: 'committed', position: first + i, at, together: batch.length });
      this.remove(batch);
      if (lease.leader !== this.start.ticket) this.succession.isSettled = true;
    }
    return undefined;
  }

  private leaseFor(batch: readonly Committable<R>[]): Lease {
    if (batch.length >= contendedMin) {
      this.isContended = true;
      noteContention(this.ref);
    }
    const { commitMs } = this;
    const behind = this.queue.waiting().length / batch.length;
    return {
      leader: this.successorOf(batch) ?? this.start.ticket,
      until: Date.now() + leaseMs(leaseCommits * commitMs),
      waitMs: Math.ceil(commitMs * (commitsToWait + Math.max(0, behind - 1))),
    };
  }

  private finish(one: Committable<R>, outcome: DraftOutcome): void {
    if (one.ticket !== undefined) this.queue.finish(one.ticket);
    this.own.note(one, outcome);
    if (this.own.isDone) this.doneAt ??= performance.now();
  }

  private remove(batch: readonly Committable<R>[]): void {
    this.queue.remove(batch.flatMap(({ ticket }) => ticket ?? []));
  }

  /** Writes the outcome of each draft that can never be committed. If a write fails, it is retried after the next commit. */
  private async noteRefused(
    batch: readonly Committable<R>[],
    outcomes: ReadonlyMap<Draft<R>, DraftOutcome>,
  ): Promise<void> {
    const refused = batch.flatMap((one) => {
      const outcome = outcomes.get(one.draft);
      return outcome ? [[one, outcome] as const] : [];
    });
    const note = async ([one, outcome]: (typeof refused)[number]) => {
      if (one.ticket !== undefined) await writePut(outcomeAction(this.ref, one.ticket, outcome));
      this.finish(one, outcome);
      return one;
    };
    const noted = await Promise.allSettled(refused.map(note));
    this.remove(noted.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])));
  }

  private async afterLoss(
    batch: readonly Committable<R>[],
    { counter, finished }: Extract<CommitOutcome<R>, { kind: 'lost' }>,
  ): Promise<'gave way' | undefined> {
    if (finished.size > 0) return this.dropFinished(batch, finished, counter);
    noteConflict();
    this.losses += 1;
    if (this.losses >= lossesMax) return 'gave way';
    if (counter === undefined) await pause(lossPause * this.commitMs * 2 ** this.losses);
    const found = counter ?? (await readCounter(this.ref));
    const { lease } = found;
    const { ticket, predecessor } = this.start;
    // If there are two leaders, one gives way.
    if (lease && lease.until > Date.now() && lease.leader !== ticket && lease.leader !== predecessor)
      return 'gave way';
    this.counter = found;
    return undefined;
  }

  /** Drops drafts that another leader committed, that a dead leader left behind, or whose process no longer waits. */
  private dropFinished(
    batch: readonly Committable<R>[],
    drafts: ReadonlySet<Draft<R>>,
    counter: Counter | undefined,
  ): 'gave way' | undefined {
    const finished = batch.filter(({ draft }) => drafts.has(draft));
    for (const { ticket } of finished) this.queue.finish(ticket as string);
    this.remove(finished);
    if (counter) this.counter = counter;
    // The outcome of the leader's own draft is stored, so it must be read.
    return finished.some(({ ticket }) => ticket === this.start.ticket) ? 'gave way' : undefined;
  }

  /** Returns whether a leader continues after its own drafts are committed. Under contention, it waits for the next creates of the clients it has served. */
  private async goesOn(): Promise<boolean> {
    const isOver = () => performance.now() - (this.doneAt as number) >= this.own.extraLeadMs;
    while (this.isContended && this.queue.waiting().length === 0 && !isOver()) await this.queue.readOrEmpty();
    // If a bulk has reached the front, the bulk leads next.
    const [oldest] = this.queue.waiting();
    return oldest?.draft !== undefined && !isOver();
  }

  /** Returns the successor that gets the lease with this commit. Only the last commit of a bulk that named a successor passes the lease on. */
  private successorOf = (batch: readonly Committable<R>[]): string | undefined =>
    this.isLastOfOwn(batch) ? this.succession.named : undefined;

  /** Returns whether this commit is the last one for the drafts that are in no queue. */
  private isLastOfOwn(batch: readonly Committable<R>[]): boolean {
    const own = batch.filter(({ ticket }) => ticket === undefined);
    return own.length > 0 && own.length === this.own.rest.length;
  }
}

/** How many waiting processes the leader tries to appoint. The others find out by themselves. */
const appointmentsMax = 3;

/** Finds the next leader: a bulk that it named in advance, a process that it appoints, or the first that claims the lease. */
class Succession<R extends Stored> {
  /** The ticket of the bulk that leads as soon as it gets the lease or the lease ends. */
  named: string | undefined;
  /** Whether a successor has the lease, or leads despite the lease. */
  isSettled = false;
  private readonly ref: CollectionRef;
  private readonly leader: string;
  private readonly queue: QueueView<R>;

  constructor(ref: CollectionRef, leader: string, queue: QueueView<R>) {
    this.ref = ref;
    this.leader = leader;
    this.queue = queue;
  }

  /**
   * Looks for a successor during a commit of a bulk. It names a bulk at once, because a bulk can wait for the end of the last commit. It
   * appoints the process of a draft only at the end, because any leader may commit the draft before.
   * @param beside the tickets that are being committed
   */
  async prepare(beside: ReadonlySet<string | undefined>, isLastCommit: boolean): Promise<void> {
    if (this.named !== undefined || this.isSettled) return;
    const waiting = this.others().filter(({ ticket }) => !beside.has(ticket));
    if (waiting[0] && waiting[0].draft === undefined) await this.name(waiting[0]);
    else if (isLastCommit) await this.appointFirst(waiting);
  }

  /** Appoints the process that has waited longest. If a successor was named, it ends the lease instead, and the successor claims it. */
  async handOver(): Promise<void> {
    if (this.isSettled) return;
    if (this.named !== undefined) return this.endLease();
    if (this.others().length === 0) {
      // A process may have seen the lease and queued its draft since the last read.
      await Promise.all([this.queue.readOrEmpty(), this.endLease(), this.queue.removalsDone()]);
      if (this.others().length === 0) return;
    }
    await this.appointFirst(this.others());
    if (!this.isSettled) await this.endLease();
  }

  /** Ends the lease. If this fails, the lease expires. */
  endLease = (): Promise<void> => endLease(this.ref, this.leader).catch(() => {});

  private others = (): Queued<R>[] => this.queue.waiting().filter(({ ticket }) => ticket !== this.leader);

  private async name(next: Queued<R>): Promise<void> {
    const isNamed = await noteLeader(this.ref, next.ticket, 'successor_of', this.leader).catch(
      () => undefined,
    );
    if (isNamed) this.named = next.ticket;
    if (isNamed === false) this.drop(next);
  }

  private async appointFirst(waiting: readonly Queued<R>[]): Promise<void> {
    for (const next of waiting.slice(0, appointmentsMax)) {
      // After an error, the note may have been written, so nobody else is appointed.
      this.isSettled = await noteLeader(this.ref, next.ticket, 'appointed_by', this.leader).catch(() => true);
      if (this.isSettled) return;
      this.drop(next);
    }
  }

  /** Drops a bulk that was appointed or named before: it has led, or it is dead. Drafts stay, because any leader commits them. */
  private drop({ ticket, draft }: Queued<R>): void {
    if (draft !== undefined) return;
    this.queue.finish(ticket);
    this.queue.remove([ticket]);
  }
}
