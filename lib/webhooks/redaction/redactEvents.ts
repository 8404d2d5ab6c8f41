import { fewAtOnce } from '../../concurrency.ts';
import { BusyError, isTransient } from '../../dynamodb/conflicts.ts';
import { present } from '../../dynamodb/expressions.ts';
import { readByKey, readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { describeError, log } from '../../logs/log.ts';
import { redacted } from '../deliveries/transitions.ts';
import { type Delivery, hasExcerpt } from '../model/delivery.ts';
import { bodyFor, type StoredEvent } from '../model/webhookEvent.ts';
import { deliveryKey, eventKey } from '../model/webhookKeys.ts';

/** The number of concurrent writes. Three such functions leave enough throughput of a new table to the requests of all accounts. */
const writers = 6;

/** How often a write to a delivery is tried. Only the end of an attempt changes a delivery, and attempts of one delivery are seconds apart. */
const triesMax = 5;

/** Stored events by their ids. */
export type EventsById = ReadonlyMap<string, StoredEvent>;

/** Returns the events that are stored and not redacted. */
export async function readUnredacted(account: string, ids: Iterable<string>): Promise<EventsById> {
  const all = [...ids];
  const eventAt = await readByKey<StoredEvent>(
    webhooks,
    all.map((id) => eventKey(account, id)),
  );
  return new Map(
    all.flatMap((id) => {
      const event = eventAt(eventKey(account, id));
      return event && !event.redacted ? [[id, event] as const] : [];
    }),
  );
}

/**
 * Removes the content of events, and the responses of receivers from their deliveries, because a response may quote what was sent. The
 * deliveries are redacted first. A redacted event therefore proves that its deliveries are also redacted.
 * @returns the ids of events that cannot be written, which are logged
 * @throws Error for transient errors
 */
export async function redactEvents(account: string, events: EventsById): Promise<Set<string>> {
  const failed = new Set<string>();
  const noteFailure = async (event: string, work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (isTransient(error)) throw error;
      log.warn('an event cannot be redacted', { account, event_id: event, error: describeError(error) });
      failed.add(event);
    }
  };
  const positions = [...events.values()].flatMap((event) => Object.entries(event.delivery_positions));
  const keys = positions.map(([subscription, position]) => deliveryKey(account, subscription, position));
  const deliveries = await readItems<Delivery>(webhooks, keys);
  await fewAtOnce(
    // After a restore, a position may belong to the delivery of another event.
    deliveries.filter((delivery) => events.has(delivery.event_id) && mayQuote(delivery)),
    (delivery) => noteFailure(delivery.event_id, redactDelivery(delivery)),
    writers,
  );
  await fewAtOnce(
    [...events].filter(([id]) => !failed.has(id)),
    ([id, event]) => noteFailure(id, redactEvent(account, id, event)),
    writers,
  );
  return failed;
}

/** Returns whether a delivery has, or may get, a response to the content. If an ended delivery is redelivered later, it sends no content. */
const mayQuote = (delivery: Delivery): boolean =>
  !delivery.redacted && (delivery.phase.at !== 'ended' || hasExcerpt(delivery));

async function redactDelivery(read: Delivery): Promise<void> {
  let delivery = read;
  for (let tries = 1; tries <= triesMax; tries++) {
    const { refused } = await write(redacted(delivery));
    const found = refused?.item as Delivery | undefined;
    // The delivery was redacted or has expired, or another process was faster.
    if (!found || found.redacted) return;
    delivery = found;
  }
  throw new BusyError('A delivery changed each time it was redacted');
}

/** Redacts an event. Every attempt reads the event after its delivery, so later attempts send no content. The event may have expired. */
const redactEvent = (account: string, id: string, { body }: StoredEvent): Promise<unknown> =>
  write(
    webhooks.update(
      eventKey(account, id),
      { body: bodyFor('thin', body), redacted: true },
      { if: { body: present } },
    ),
  );
