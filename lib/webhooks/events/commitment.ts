import { createHash } from 'node:crypto';
import { absent } from '../../dynamodb/expressions.ts';
import { packTransaction } from '../../dynamodb/packTransaction.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { daysWith } from '../../feed/store.ts';
import { latest } from '../../records/item.ts';
import { recordId } from '../../records/position.ts';
import { created } from '../deliveries/transitions.ts';
import type { Delivery } from '../model/delivery.ts';
import type { StoredEvent, WebhookEvent } from '../model/event.ts';
import { deliveryKey, deliveryPrefix, eventKey, subscriptionKey } from '../model/keys.ts';
import { expiryOfLogged, isSent, loggedDays, type Subscription } from '../model/subscription.ts';
import { recoveryDue, recoveryDueAt } from '../queue/due.ts';
import { deliveryMessage, type OutgoingMessage } from '../queue/messages.ts';

/** An event with the subscriptions that it is sent to, at least one. */
export interface PlannedEvent {
  event: WebhookEvent;
  to: readonly Subscription[];
}

/** The most bytes that a delivery takes in a transaction. */
const deliveryBytes = 1000;

/** The events of the next transaction, from the front. */
export const packEvents = (planned: readonly PlannedEvent[]): PlannedEvent[] =>
  packTransaction(planned, {
    actionsOf: ({ to }) => 1 + to.length,
    bytesOf: ({ event: { body }, to }) => Buffer.byteLength(body) + to.length * deliveryBytes,
    // The length of a log is written once for all its new deliveries.
    sharedItemsOf: ({ to }) => to.map(({ id }) => id),
  });

/** Events with all their deliveries: the actions that commit them, and the messages to send then. */
export interface Commitment {
  /** The first actions put the events, in their order. An event is stored already if its action is refused. */
  actions: Action[];
  messages: OutgoingMessage[];
  /** The subscriptions after the commit, by their ids. */
  lengthened: Map<string, Subscription>;
}

/** New deliveries of one subscription. */
interface LogPart {
  subscription: Subscription;
  deliveries: NewDelivery[];
}

type NewDelivery = Omit<Delivery, 'phase_number'>;

/**
 * Builds the actions that commit events with all their deliveries, or nothing. They require that each log has the length that was read,
 * which is the position of the next delivery.
 */
export function commitmentOf(account: string, batch: readonly PlannedEvent[], now: Date): Commitment {
  const logs = new Map<string, LogPart>();
  const positionsOf = new Map<string, StoredEvent['delivery_positions']>();
  for (const { event, to } of batch)
    for (const subscription of to) {
      const log = logs.get(subscription.id) ?? { subscription, deliveries: [] };
      const positions = positionsOf.get(event.id) ?? {};
      positions[subscription.id] = subscription.log_count + log.deliveries.length;
      positionsOf.set(event.id, positions);
      log.deliveries.push(newDelivery(account, subscription, log.deliveries.length, event, now));
      logs.set(subscription.id, log);
    }
  const all = [...logs.values()].map((log) => ({ ...withPhases(log, now), next: lengthened(log, now) }));
  return {
    lengthened: new Map(all.map(({ next }) => [next.id, next])),
    actions: [
      ...batch.map(({ event }) => putEvent(account, event, positionsOf.get(event.id) ?? {}, now)),
      ...all.map(({ next, ...log }) => lengthen(account, log, next, now)),
      ...all.flatMap(({ deliveries }) => deliveries.map((delivery) => created(delivery, now))),
    ],
    messages: all
      .filter(({ subscription }) => isSent(subscription))
      .flatMap(({ subscription: { speed }, deliveries }) =>
        deliveries.map((delivery) => ({
          message: deliveryMessage(delivery),
          queue: speed ?? ('slow' as const),
        })),
      ),
  };
}

/** From so many deliveries on, one recovery that looks after them costs less than an entry in the due index for each. */
const restsFrom = 3;

const rests = ({ subscription, deliveries }: LogPart): boolean =>
  !isSent(subscription) || subscription.enqueue_at !== undefined || deliveries.length >= restsFrom;

const withPhases = (log: LogPart, now: Date): LogPart =>
  rests(log)
    ? log
    : {
        ...log,
        deliveries: log.deliveries.map((delivery) => ({
          ...delivery,
          phase: { at: 'waiting', due: now.toISOString(), tries: 0 },
        })),
      };

/** Times grow with positions in a log, also when the clocks of two processes differ: a range of times is a range of positions. */
const loggedAt = ({ log_at }: Subscription, now: Date): string => latest(log_at, now.toISOString());

function newDelivery(
  account: string,
  subscription: Subscription,
  nth: number,
  event: WebhookEvent,
  now: Date,
): NewDelivery {
  const { id } = subscription;
  const position = subscription.log_count + nth;
  const seed = createHash('sha256').update(`${event.id}#${id}`).digest().subarray(0, 10);
  return {
    ...deliveryKey(account, id, position),
    id: recordId(deliveryPrefix, position, seed),
    event_id: event.id,
    event_type: event.type,
    subscription_id: id,
    resource: event.resource,
    origin: event.origin,
    phase: { at: 'rest', tries: 0 },
    attempt_count: 0,
    attempts: [],
    created_at: loggedAt(subscription, now),
  };
}

const putEvent = (
  account: string,
  { id, body, erased }: WebhookEvent,
  delivery_positions: StoredEvent['delivery_positions'],
  now: Date,
): Action =>
  webhooks.put(
    { ...eventKey(account, id), body, delivery_positions, erased, ttl: expiryOfLogged(now) },
    // Only an event without the person may replace the mark of an erasure.
    { if: erased ? { body: absent } : { pk: absent }, showsItem: true },
  );

function lengthened(log: LogPart, now: Date): Subscription {
  const { subscription, deliveries } = log;
  const log_at = loggedAt(subscription, now);
  const log_days = daysWith(subscription.log_days, subscription.log_count, loggedDays, Date.parse(log_at));
  const due = rests(log) ? { enqueue_at: subscription.enqueue_at ?? log_at } : {};
  return { ...subscription, ...due, log_count: subscription.log_count + deliveries.length, log_days, log_at };
}

function lengthen(
  account: string,
  { subscription, deliveries }: LogPart,
  next: Subscription,
  now: Date,
): Action {
  const { id, log_count, enqueue_at } = subscription;
  const { log_days, log_at } = next;
  const areResting = rests({ subscription, deliveries });
  // Nothing rests before the first that does.
  const isFirst = areResting && enqueue_at === undefined;
  return webhooks.update(
    subscriptionKey(account, id),
    {
      log_count: next.log_count,
      log_days,
      log_at,
      ...(areResting ? recoveryDue(recoveryDueAt(subscription, false, now.getTime())) : {}),
      ...(isFirst ? { recovery_next: log_count, recovery_from: log_count } : {}),
    },
    { if: { log_count, ...(isFirst ? { enqueue_at } : {}) } },
  );
}
