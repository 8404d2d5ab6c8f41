import type { DynamoDBRecord } from 'aws-lambda';
import { isSubscribed } from '../../contract/eventTypes.ts';
import type { ShownOrigin } from '../../contract/origin.ts';
import { whileLeft } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../logs/metrics.ts';
import { notedAtMs, readChange } from '../../records/change.ts';
import { readNotice } from '../../records/notice.ts';
import { keyOf } from '../../records/origin.ts';
import { eraseEvents } from '../erasure/eraseEvents.ts';
import { eventOf, isErasureMark, noticeEventOf, type WebhookEvent, withoutPerson } from '../model/event.ts';
import type { Subscription } from '../model/subscription.ts';
import { readSubscriptions } from '../model/subscriptions.ts';
import { enqueue } from '../queue/messages.ts';
import { commitmentOf, type PlannedEvent, packEvents } from './commitment.ts';

/**
 * A change may be so old when a subscription is created that gets its event: the clocks of the database and of the functions may
 * differ, and the stream rounds down to seconds. No subscription may miss a change that came after it.
 */
const clockSkewMs = 60_000;

interface PendingChange {
  record: DynamoDBRecord;
  event: WebhookEvent;
}

/** Changes of one account, until each is committed as an event with all its deliveries. */
export class AccountChanges {
  readonly left: Set<DynamoDBRecord>;
  deliveries = 0;
  private readonly account: string;
  private readonly sending: Promise<unknown>[] = [];
  private readonly emptied = new Set<DynamoDBRecord>();
  private readable: PendingChange[] | undefined;
  private unreadable: unknown;

  constructor(account: string, records: readonly DynamoDBRecord[]) {
    this.account = account;
    this.left = new Set(records);
  }

  /**
   * Commits as many changes as there is time for; `left` has the others. A change that was committed before is not committed
   * again.
   * @param until epoch milliseconds; errors that may pass are retried until then
   * @throws Error why changes are left, unless the time was over; all changes that can be committed are committed then
   */
  async commit(until: number): Promise<void> {
    let known: Subscription[] | undefined;
    const isLeft = () => this.left.size > 0;
    await whileLeft(until, isLeft, async () => {
      const subscriptions = known ?? (await readSubscriptions(this.account));
      // After an error they are read again.
      known = undefined;
      await this.emptyEvents(subscriptions.length > 0, until);
      // Most accounts have no subscriptions; then the changes need not be read.
      if (subscriptions.length === 0) this.left.clear();
      const pending = this.pending();
      if (!isLeft()) return true;
      if (pending.length === 0) throw this.unreadable;
      known = await this.commitNext(pending, subscriptions);
      return known !== undefined;
    });
  }

  /** Takes the content out of the events of records that were deleted, before the event that says so. */
  private async emptyEvents(mark: boolean, until: number): Promise<void> {
    for (const record of this.left) {
      const { id, version, deleted_at } = record.dynamodb?.NewImage ?? {};
      if (deleted_at === undefined || this.emptied.has(record)) continue;
      await eraseEvents(this.account, { id: id?.S as string, before: Number(version?.N), mark }, until);
      this.emptied.add(record);
    }
  }

  /** Resolves when all delivery messages were tried to be sent. */
  async sent(): Promise<void> {
    await Promise.all(this.sending);
  }

  /** The changes that are left and can be read. */
  private pending(): PendingChange[] {
    this.readable ??= [...this.left].flatMap((record) => {
      try {
        const event = eventIn(record);
        if (event) return [{ record, event }];
        this.left.delete(record);
      } catch (error) {
        this.unreadable ??= error;
      }
      return [];
    });
    return this.readable.filter(({ record }) => this.left.has(record));
  }

  /**
   * Commits the first events that have a subscription.
   * @returns the subscriptions after the commit; undefined after a conflict, when they have to be read again
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
    const { refused } = await transact(actions);
    if (refused) {
      const idsOf = (isMarked: boolean): Set<string> =>
        new Set(
          batch.flatMap(({ event }, i) => {
            const verdict = refused[i];
            return verdict?.kind === 'refused' && isErasureMark(verdict.item) === isMarked ? [event.id] : [];
          }),
        );
      // The stream has handed over a change before, and its event is stored with all its deliveries; or its record was erased since.
      const [stored, marked] = [idsOf(false), idsOf(true)];
      for (const one of pending) if (marked.has(one.event.id)) one.event = withoutPerson(one.event);
      this.done(pending.filter(({ event }) => stored.has(event.id)));
      if (stored.size + marked.size > 0) return subscriptions;
      noteConflict();
      return undefined;
    }
    const ids = new Set(batch.map(({ event }) => event.id));
    this.done(pending.filter(({ event }) => ids.has(event.id)));
    this.deliveries += messages.length;
    this.sending.push(enqueue(messages));
    return subscriptions.map((subscription) => lengthened.get(subscription.id) ?? subscription);
  }

  private done(changes: readonly PendingChange[]): void {
    for (const { record } of changes) this.left.delete(record);
  }
}

/** The event of the change in a stream record; undefined when it has none. */
function eventIn(record: DynamoDBRecord): WebhookEvent | undefined {
  const change = readChange(record);
  if (change) return eventOf(change);
  const notice = readNotice(record);
  return notice && noticeEventOf(notice);
}

const isBy = (keyId: string | null, origin: ShownOrigin): boolean =>
  keyId !== null && keyOf(origin) === keyId;

/** A subscription that names fields gets updates of these only. */
const isOf = (fields: readonly string[] | null, { type, changed_fields }: WebhookEvent): boolean =>
  !fields || !type.endsWith('.updated') || changed_fields.some((name) => fields.includes(name));

/** The events that have a subscription, each once: a transaction cannot put an item twice. */
function plan(pending: readonly PendingChange[], subscriptions: readonly Subscription[]): PlannedEvent[] {
  const planned = new Map<string, PlannedEvent>();
  for (const { record, event } of pending) {
    const notedAt = notedAtMs(record);
    const to = subscriptions.filter(
      ({ id, event_types, created_at, exclude_own, changed_fields, created_by_key_id }) =>
        isSubscribed(event_types, event.type) &&
        // A subscription gets no event about itself.
        id !== event.resource.id &&
        !(exclude_own && isBy(created_by_key_id, event.origin)) &&
        isOf(changed_fields, event) &&
        Date.parse(created_at) <= notedAt + clockSkewMs,
    );
    if (to.length > 0) planned.set(event.id, { event, to });
  }
  return [...planned.values()];
}
