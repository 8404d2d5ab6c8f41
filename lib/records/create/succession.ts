import type { Stored } from '../../resources/collection.ts';
import { endLease } from '../head.ts';
import type { CollectionRef } from '../keys.ts';
import type { Queued } from './commitQueue.ts';
import { appoint, nameSuccessor } from './outcomes.ts';
import type { QueueView } from './queueView.ts';

/** How many of those who wait are tried as the next leader: the others are found by themselves. */
const appointmentsMax = 3;

/** Who leads after a leader: a process that it appoints when it ends, or a bulk that it has named before, or whoever claims the lease. */
export class Succession<R extends Stored> {
  /** The ticket of the bulk that leads when the lease is passed to it, or ends. */
  named: string | undefined;
  /** Whether a successor has the lease, or leads in spite of it. */
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
   * Looks for a successor beside a commit of a bulk. A bulk is named: it waits for the end of the last commit. A draft is committed
   * by whoever leads: so its process is appointed at the end only.
   * @param beside the tickets that are being committed
   */
  async prepare(beside: ReadonlySet<string | undefined>, isLastCommit: boolean): Promise<void> {
    if (this.named !== undefined || this.isSettled) return;
    const waiting = this.others().filter(({ ticket }) => !beside.has(ticket));
    if (waiting[0] && waiting[0].draft === undefined) await this.name(waiting[0]);
    else if (isLastCommit) await this.appointFirst(waiting);
  }

  /** Appoints the process that waits longest, or ends the lease: the successor that was named then claims it. */
  async handOver(): Promise<void> {
    if (this.isSettled) return;
    if (this.named !== undefined) return this.endLease();
    if (this.others().length === 0) {
      // A draft may come from a process that has still seen the lease.
      await Promise.all([this.queue.look(), this.endLease(), this.queue.removed()]);
      if (this.others().length === 0) return;
    }
    await this.appointFirst(this.others());
    if (!this.isSettled) await this.endLease();
  }

  /** A lease that cannot be ended runs out. */
  endLease = (): Promise<void> => endLease(this.ref, this.leader).catch(() => {});

  /** Those who wait beside the leader itself. */
  private others = (): Queued<R>[] => this.queue.waiting().filter(({ ticket }) => ticket !== this.leader);

  private async name(next: Queued<R>): Promise<void> {
    const isNamed = await nameSuccessor(this.ref, next.ticket, this.leader).catch(() => undefined);
    if (isNamed) this.named = next.ticket;
    if (isNamed === false) this.drop(next);
  }

  private async appointFirst(waiting: readonly Queued<R>[]): Promise<void> {
    for (const next of waiting.slice(0, appointmentsMax)) {
      this.isSettled = await appoint(this.ref, next.ticket, this.leader).catch(() => true);
      if (this.isSettled) return;
      this.drop(next);
    }
  }

  /** A draft is committed by whoever leads. A bulk that was appointed or named before has led, or is dead. */
  private drop({ ticket, draft }: Queued<R>): void {
    if (draft !== undefined) return;
    this.queue.finish(ticket);
    this.queue.remove([ticket]);
  }
}
