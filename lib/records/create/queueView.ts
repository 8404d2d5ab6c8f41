import type { Stored } from '../../resources/collection.ts';
import type { CollectionRef } from '../keys.ts';
import { type Queued, readQueue, removeTickets } from './commitQueue.ts';

/** A commit queue as its leader sees it: what it has read of the queue, without what it has finished since. */
export class QueueView<R extends Stored> {
  private readonly ref: CollectionRef;
  private readonly finished = new Set<string>();
  private queue: readonly Queued<R>[] = [];
  private removing: Promise<unknown> = Promise.resolve();

  constructor(ref: CollectionRef) {
    this.ref = ref;
  }

  async read(): Promise<void> {
    this.queue = await readQueue<R>(this.ref);
  }

  /** A queue that cannot be read counts as empty: those who wait lead themselves then. */
  async look(): Promise<void> {
    this.queue = await readQueue<R>(this.ref).catch(() => []);
  }

  /** What waits and is not past its deadline, oldest first. */
  waiting(): Queued<R>[] {
    const now = Date.now();
    return this.queue.filter(({ ticket, deadline }) => deadline > now && !this.finished.has(ticket));
  }

  finish(ticket: string): void {
    this.finished.add(ticket);
  }

  /** No client waits for this, but for that of the leader at the end. */
  remove(tickets: readonly string[]): void {
    this.removing = Promise.all([this.removing, removeTickets(this.ref, tickets)]);
  }

  /** Resolves when all removals have ended. */
  removed = async (): Promise<void> => void (await this.removing);
}
