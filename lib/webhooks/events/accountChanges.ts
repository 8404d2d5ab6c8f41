import type { DynamoDBRecord } from 'aws-lambda';
import { isSubscribed } from '../../contract/eventTypes.ts';
import { isPassing, pause } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../metrics.ts';
import { enqueue } from '../deliveries/deliveryQueue.ts';
import { readSubscriptions } from '../subscriptions/readSubscriptions.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { notedAtMs, readChange } from './change.ts';
import { commitmentOf, type PlannedEvent, packEvents } from './commitment.ts';
import { eventOf, type WebhookEvent } from './event.ts';

/** How long the database is left alone that is busy, or out of reach. */
const passingPauseMs = 500;

/** Before the first retry after somebody else was faster; twice as long before each further one, up to the most. */
const conflictPauseMs = 20;
const conflictPauseMaxMs = 1000;

/**
 * The clocks of the database and of the functions may differ, and the stream rounds down to seconds. Whoever subscribes
 * sooner after a change may be told of it; nobody who had subscribed before may be left out.
 */
const clocksMs = 60_000;

/** A change and the event that it becomes. */
interface PendingChange {
  record: DynamoDBRecord;
  event: WebhookEvent;
}

/** Changes of one account, until each is committed as an event with all its deliveries. */
export class AccountChanges {
  /** The changes that are not done with. */
  readonly left: Set<DynamoDBRecord>;
  /** How many deliveries were made. */
  deliveries = 0;
  private readonly account: string;
  private readonly sending: Promise<unknown>[] = [];
  private readable: PendingChange[] | undefined;
  /** Why changes cannot be read. */
  private unreadable: unknown;

  constructor(account: string, records: readonly DynamoDBRecord[]) {
    this.account = account;
    this.left = new Set(records);
  }

  /**
   * Commits as many changes as there is time for; after it, `left` has the rest. What has been committed before is not
   * committed again.
   * @param until epoch milliseconds; trouble that may pass is waited out until then
   * @throws Error why changes are left, unless the time was over; those that can be committed are then committed
   */
  async commit(until: number): Promise<void> {
    let subscriptions: Subscription[] | undefined;
    for (let conflicts = 0; this.left.size > 0 && Date.now() <= until; ) {
      try {
        subscriptions ??= await readSubscriptions(this.account);
        // Most changes are of accounts without any: what they say then is of no interest.
        if (subscriptions.length === 0) return this.left.clear();
        const pending = this.pending();
        if (this.left.size === 0) return;
        if (pending.length === 0) throw this.unreadable;
        subscriptions = await this.commitNext(pending, subscriptions);
        conflicts = subscriptions ? 0 : conflicts + 1;
        if (conflicts > 0) await pause(Math.min(conflictPauseMaxMs, conflictPauseMs * 2 ** (conflicts - 1)));
      } catch (error) {
        if (!isPassing(error) || Date.now() > until) throw error;
        subscriptions = undefined;
        await pause(passingPauseMs);
      }
    }
  }

  /** Resolves when the messages for all deliveries are sent, or could not be sent. */
  async sent(): Promise<void> {
    await Promise.all(this.sending);
  }

  /** What is left and can be read. */
  private pending(): PendingChange[] {
    this.readable ??= this.read();
    return this.readable.filter(({ record }) => this.left.has(record));
  }

  private read(): PendingChange[] {
    return [...this.left].flatMap((record) => {
      try {
        const change = readChange(record);
        if (change) return [{ record, event: eventOf(change) }];
        this.left.delete(record);
      } catch (error) {
        this.unreadable ??= error;
      }
      return [];
    });
  }

  /**
   * Commits the first events that somebody is subscribed to.
   * @returns the subscriptions as they are then; undefined when somebody else was faster, and they have to be read again
   */
  private async commitNext(
    pending: readonly PendingChange[],
    subscriptions: Subscription[],
  ): Promise<Subscription[] | undefined> {
    const planned = plan(pending, subscriptions);
    const isPlanned = new Set(planned.map(({ event }) => event.id));
    this.done(pending.filter(({ event }) => !isPlanned.has(event.id)));
    if (planned.length === 0) return subscriptions;
    const batch = packEvents(planned);
    const { actions, messages, lengthened } = commitmentOf(this.account, batch, new Date());
    const verdicts = await transact(actions);
    // The stream tells some changes twice; of these the events are there, with all their deliveries.
    const committed = verdicts ? batch.filter((_, i) => verdicts[i]?.kind === 'refused') : batch;
    const ids = new Set(committed.map(({ event }) => event.id));
    this.done(pending.filter(({ event }) => ids.has(event.id)));
    if (ids.size === 0) {
      noteConflict();
      return undefined;
    }
    if (verdicts) return subscriptions;
    this.deliveries += messages.length;
    this.sending.push(enqueue(messages));
    return subscriptions.map((subscription) => lengthened.get(subscription.id) ?? subscription);
  }

  private done(changes: readonly PendingChange[]): void {
    for (const { record } of changes) this.left.delete(record);
  }
}

/** Each event that somebody is told of, once: a transaction must not put the same one twice. */
function plan(pending: readonly PendingChange[], subscriptions: readonly Subscription[]): PlannedEvent[] {
  const planned = new Map<string, PlannedEvent>();
  for (const { record, event } of pending) {
    const notedAt = notedAtMs(record);
    const to = subscriptions.filter(
      ({ event_types, created_at }) =>
        isSubscribed(event_types, event.type) && Date.parse(created_at) <= notedAt + clocksMs,
    );
    if (to.length > 0) planned.set(event.id, { event, to });
  }
  return [...planned.values()];
}
