import { createHash } from 'node:crypto';
import { absent, within } from '../../dynamodb/expressions.ts';
import { packTransaction } from '../../dynamodb/packTransaction.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { daysWith } from '../../feed/feedItems.ts';
import { recordId } from '../../records/position.ts';
import { latest } from '../../records/recordItem.ts';
import { created } from '../deliveries/transitions.ts';
import type { Delivery, Phase } from '../model/delivery.ts';
import { expiryOfLogged, isSent, loggedDays, type Subscription } from '../model/subscription.ts';
import type { StoredEvent, WebhookEvent } from '../model/webhookEvent.ts';
import { deliveryKey, deliveryPrefix, eventKey, subscriptionKey } from '../model/webhookKeys.ts';
import { deliveryMessage, type OutgoingMessage, recoveryDue, recoveryDueAt } from '../queue/messages.ts';

/** An event with the subscriptions that receive it, at least one. */
export interface PlannedEvent {
  event: WebhookEvent;
  to: readonly Subscription[];
}

/** The most bytes of a delivery in a transaction. */
const deliveryBytes = 1000;

/** Returns the events of the next transaction, from the front. */
export const packEvents = (planned: readonly PlannedEvent[]): PlannedEvent[] =>
  packTransaction(planned, {
    actionsOf: ({ to }) => 1 + to.length,
    bytesOf: ({ event: { body }, to }) => Buffer.byteLength(body) + to.length * deliveryBytes,
    // The length of a log is written once for all its new deliveries.
    sharedItemsOf: ({ to }) => to.map(({ id }) => id),
  });

export interface Commitment {
  /** The first actions put the events, in order. If the action of an event is refused, the event is already stored. */
  actions: Action[];
  messages: OutgoingMessage[];
  lengthened: Map<string, Subscription>;
}

type NewDelivery = Omit<Delivery, 'phase_number' | 'phase'>;

interface LogPart {
  subscription: Subscription;
  deliveries: NewDelivery[];
}

/**
 * Returns the actions that commit events with all their deliveries, or nothing. They require that each log has the length that was read, which
 * is the position of the next delivery.
 */
export function commitmentOf(account: string, batch: readonly PlannedEvent[], now: Date): Commitment {
  const parts = new Map<string, LogPart>();
  const events = batch.map(({ event, to }) => {
    const positions: StoredEvent['delivery_positions'] = {};
    for (const subscription of to) {
      const part = parts.get(subscription.id) ?? { subscription, deliveries: [] };
      const position = subscription.logged.count + part.deliveries.length;
      positions[subscription.id] = position;
      part.deliveries.push(newDelivery(account, subscription, position, event, now));
      parts.set(subscription.id, part);
    }
    return putEvent(account, event, positions, now);
  });
  const logs = [...parts.values()].map((part) => ({ ...part, ...lengthen(account, part, now) }));
  return {
    lengthened: new Map(logs.map(({ next }) => [next.id, next])),
    actions: [
      ...events,
      ...logs.map(({ action }) => action),
      ...logs.flatMap(({ deliveries, phase }) =>
        deliveries.map((delivery) => created({ ...delivery, phase }, now)),
      ),
    ],
    messages: logs.flatMap(({ subscription, deliveries }) =>
      isSent(subscription) ? deliveries.map((one) => deliveryMessage(one, subscription.receiver.speed)) : [],
    ),
  };
}

function newDelivery(
  account: string,
  subscription: Subscription,
  position: number,
  event: WebhookEvent,
  now: Date,
): NewDelivery {
  const { id } = subscription;
  const seed = createHash('sha256').update(`${event.id}#${id}`).digest().subarray(0, 10);
  return {
    ...deliveryKey(account, id, position),
    id: recordId(deliveryPrefix, position, seed),
    event_id: event.id,
    event_type: event.type,
    subscription_id: id,
    resource: event.resource,
    origin: event.origin,
    attempt_count: 0,
    attempts: [],
    created_at: loggedAt(subscription, now),
  };
}

/** Returns the time of a new delivery. Times grow with positions even if clocks differ, so a time range is a position range. */
const loggedAt = ({ logged }: Subscription, now: Date): string => latest(logged.at, now.toISOString());

const putEvent = (
  account: string,
  { id, body, redacted }: WebhookEvent,
  delivery_positions: StoredEvent['delivery_positions'],
  now: Date,
): Action =>
  webhooks.put(
    { ...eventKey(account, id), body, delivery_positions, redacted, ttl: expiryOfLogged(now) },
    { if: { pk: absent } },
  );

/** From this many deliveries on, one recovery that sends them costs less than an entry in the due index for each. */
const heldFrom = 3;

/** @returns the subscription after its new deliveries, the write to it, and the phase of these deliveries */
function lengthen(
  account: string,
  { subscription, deliveries }: LogPart,
  now: Date,
): { next: Subscription; action: Action; phase: Phase } {
  const { id, enqueue_at } = subscription;
  const { count, days } = subscription.logged;
  const isHeld = !isSent(subscription) || enqueue_at !== undefined || deliveries.length >= heldFrom;
  const at = loggedAt(subscription, now);
  const logged = {
    count: count + deliveries.length,
    days: daysWith(days, count, loggedDays, Date.parse(at)),
    at,
  };
  // Nothing is held before the first held delivery.
  const isFirst = isHeld && enqueue_at === undefined;
  const action = webhooks.update(
    subscriptionKey(account, id),
    {
      logged,
      ...(isHeld ? recoveryDue(recoveryDueAt(subscription, false, now.getTime())) : {}),
      ...(isFirst ? within('recovery', { next: count, from: count }) : {}),
    },
    { if: { 'logged.count': count, ...(isFirst ? { enqueue_at } : {}) } },
  );
  return {
    next: { ...subscription, ...(isFirst ? { enqueue_at: at } : {}), logged },
    action,
    phase: isHeld ? { at: 'held', tries: 0 } : { at: 'waiting', due: now.toISOString(), tries: 0 },
  };
}
