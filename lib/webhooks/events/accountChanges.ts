import type { DynamoDBRecord } from 'aws-lambda';
import { isSubscribed } from '../../contract/eventTypes.ts';
import type { ShownOrigin } from '../../contract/origin.ts';
import { whileLeft } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { noteConflict } from '../../logs/metrics.ts';
import { notedAtMs, readChange } from '../../records/change.ts';
import { readHidden } from '../../records/deletion/redaction.ts';
import { readNotice } from '../../records/notice.ts';
import { originKeyId } from '../../records/recordOrigin.ts';
import type { Subscription } from '../model/subscription.ts';
import { readSubscriptions } from '../model/subscriptions.ts';
import {
  isOfDeletion,
  noticeEventOf,
  type WebhookEvent,
  webhookEventOf,
  withoutContent,
} from '../model/webhookEvent.ts';
import { enqueueDeliveries } from '../queue/messages.ts';
import { readUnredacted, redactEvents } from '../redaction/redactEvents.ts';
import { deferRedactions } from '../redaction/redactionTurn.ts';
import { commitmentOf, type PlannedEvent, packEvents } from './commitment.ts';

/**
 * How much older than a subscription a change may be and still be sent to it. The clocks of the database and of the functions may differ, and
 * the stream rounds down to seconds. No subscription may miss a change that came after it.
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
  private readable: PendingChange[] | undefined;
  private unreadable: unknown;

  constructor(account: string, records: readonly DynamoDBRecord[]) {
    this.account = account;
    this.left = new Set(records);
  }

  /**
   * Commits as many changes as time allows. The others stay in `left`. A change that was already committed is not committed again.
   * @param until epoch milliseconds; transient errors are retried until then
   * @throws Error the reason why changes are left, unless time ran out; all changes that can be committed are then committed
   */
  async commit(until: number): Promise<void> {
    let known: Subscription[] | undefined;
    const isLeft = () => this.left.size > 0;
    await whileLeft(until, isLeft, async () => {
      const subscriptions = known ?? (await readSubscriptions(this.account));
      // After an error, the subscriptions are read again.
      known = undefined;
      // Most accounts have no subscriptions, so their changes need not be read.
      if (subscriptions.length === 0) return this.finish([...this.left]);
      const pending = await this.pending();
      if (!isLeft()) return true;
      if (pending.length === 0) throw this.unreadable;
      known = await this.commitNext(pending, subscriptions);
      return known !== undefined;
    });
  }

  /** Resolves after it has tried to send all delivery messages. */
  async sent(): Promise<void> {
    await Promise.all(this.sending);
  }

  /** Returns the remaining changes that can be read. */
  private async pending(): Promise<PendingChange[]> {
    this.readable ??= await this.read();
    return this.readable.filter(({ record }) => this.left.has(record));
  }

  /** Reads the events of the changes. If a record has been deleted since, its event has no content. */
  private async read(): Promise<PendingChange[]> {
    const readable = [...this.left].flatMap((record): PendingChange[] => {
      try {
        const event = eventIn(record);
        if (event) return [{ record, event }];
        this.left.delete(record);
      } catch (error) {
        this.unreadable ??= error;
      }
      return [];
    });
    const hidden = await this.hiddenAmong(readable.map(({ event }) => event));
    return readable.map(({ record, event }) => ({
      record,
      event: hidden.has(event) ? withoutContent(event) : event,
    }));
  }

  /** Returns the events of deleted records, except those of the deletions themselves, which have no content. */
  private async hiddenAmong(events: readonly WebhookEvent[]): Promise<Set<WebhookEvent>> {
    const full = events.filter((event) => !isOfDeletion(event));
    const refOf = ({ resource: { id } }: WebhookEvent) => ({ account: this.account, id });
    const isHidden = await readHidden(full.map(refOf));
    return new Set(full.filter((event) => isHidden(refOf(event))));
  }

  /**
   * Commits the first events that have a subscription. An event that is already stored was committed before, with all its deliveries.
   * @returns the subscriptions after the commit; undefined after a conflict, if they must be read again
   */
  private async commitNext(
    pending: readonly PendingChange[],
    subscriptions: Subscription[],
  ): Promise<Subscription[] | undefined> {
    const planned = plan(pending, subscriptions);
    const isPlanned = new Set(planned.map(({ event }) => event.id));
    await this.finish(recordsOf(pending, ({ event }) => !isPlanned.has(event.id)));
    if (planned.length === 0) return subscriptions;
    const batch = packEvents(planned);
    const { actions, messages, lengthened } = commitmentOf(this.account, batch, new Date());
    const { refused } = await transact(actions);
    const stored = batch
      .filter((_, i) => !refused || refused[i]?.kind === 'refused')
      .map(({ event }) => event);
    if (stored.length === 0) {
      noteConflict();
      return undefined;
    }
    if (!refused) {
      this.deliveries += messages.length;
      this.sending.push(enqueueDeliveries(messages));
    }
    await this.redactHidden(stored);
    const ids = new Set(stored.map(({ id }) => id));
    await this.finish(recordsOf(pending, ({ event }) => ids.has(event.id)));
    return refused
      ? subscriptions
      : subscriptions.map((subscription) => lengthened.get(subscription.id) ?? subscription);
  }

  /**
   * Redacts events that were stored with content while their record was deleted, because the redaction may have passed them already. This
   * includes events of another process that may have died before this check.
   */
  private async redactHidden(stored: readonly WebhookEvent[]): Promise<void> {
    const ids = [...(await this.hiddenAmong(stored))].map(({ id }) => id);
    if (ids.length === 0) return;
    const failed = await redactEvents(this.account, await readUnredacted(this.account, ids));
    if (failed.size > 0) throw new Error(`${failed.size} events cannot be redacted`);
  }

  /**
   * Completes the work on changes. After a deletion, it schedules the redaction of the record's earlier events.
   * @returns false if the queue did not accept the redactions; the changes are then left
   */
  private async finish(changes: readonly DynamoDBRecord[]): Promise<boolean> {
    const deleted = changes.flatMap(({ dynamodb }) => {
      const { id, version, deleted_at } = dynamodb?.NewImage ?? {};
      return deleted_at === undefined ? [] : [{ id: id?.S as string, version: Number(version?.N) }];
    });
    if (!(await deferRedactions(this.account, deleted))) return false;
    for (const record of changes) this.left.delete(record);
    return true;
  }
}

const recordsOf = (
  changes: readonly PendingChange[],
  isOf: (change: PendingChange) => boolean,
): DynamoDBRecord[] => changes.filter(isOf).map(({ record }) => record);

/** Returns the event of the change in a stream record; undefined if it has none. */
function eventIn(record: DynamoDBRecord): WebhookEvent | undefined {
  const change = readChange(record);
  if (change) return webhookEventOf(change);
  const notice = readNotice(record);
  return notice && noticeEventOf(notice);
}

const isBy = (keyId: string | null, origin: ShownOrigin): boolean =>
  keyId !== null && originKeyId(origin) === keyId;

/** Returns whether a subscription's `changed_fields` include an event. They apply to updates only. */
const isOf = (fields: readonly string[] | null, { type, changed_fields }: WebhookEvent): boolean =>
  !fields || !type.endsWith('.updated') || changed_fields.some((name) => fields.includes(name));

/** Returns the events that have a subscription, without duplicates, because a transaction cannot put an item twice. */
function plan(pending: readonly PendingChange[], subscriptions: readonly Subscription[]): PlannedEvent[] {
  const planned = new Map<string, PlannedEvent>();
  for (const { record, event } of pending) {
    const notedAt = notedAtMs(record);
    const to = subscriptions.filter(
      ({ id, event_types, created_at, exclude_own, changed_fields, created_by_key_id }) =>
        isSubscribed(event_types, event.type) &&
        // A subscription gets no events about itself.
        id !== event.resource.id &&
        !(exclude_own && isBy(created_by_key_id, event.origin)) &&
        isOf(changed_fields, event) &&
        Date.parse(created_at) <= notedAt + clockSkewMs,
    );
    if (to.length > 0) planned.set(event.id, { event, to });
  }
  return [...planned.values()];
}
