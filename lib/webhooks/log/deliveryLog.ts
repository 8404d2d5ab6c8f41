import type { WebhookDeliveryWithBody } from '../../contract/webhookDeliveries.ts';
import { readItem, readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { notFound } from '../../errors/apiError.ts';
import type { TimeRange } from '../../filterIndex/buckets.ts';
import { createdAtOf, firstSince } from '../../filterIndex/updatedTimes.ts';
import type { Access } from '../../keys/access.ts';
import { readHidden, redactionKey } from '../../records/deletion/redaction.ts';
import type { Extent } from '../../records/listByOffset.ts';
import { positionOf } from '../../records/position.ts';
import type { IndexedFields, ValueField } from '../../resources/collection.ts';
import { type Delivery, hasExcerpt, shownDelivery, statusOf, withoutExcerpts } from '../model/delivery.ts';
import { mayRead, type Payload, payloadOf } from '../model/payload.ts';
import { firstLogged, type Subscription } from '../model/subscription.ts';
import { isSubscriptionId, noSubscription } from '../model/subscriptions.ts';
import { bodyFor, type StoredEvent } from '../model/webhookEvent.ts';
import {
  deletedSubscriptionKey,
  deliveryKey,
  deliveryKeyOf,
  deliveryPrefix,
  eventKey,
  subscriptionKey,
} from '../model/webhookKeys.ts';

/** The log of a subscription's deliveries: the subscription itself, or the item that remains of a deleted one. */
export type Log = ({ deleted?: never } & Subscription) | ({ deleted: true } & Pick<Subscription, 'logged'>);

/** @throws ApiError 404 if the account has no such subscription and had none recently */
export async function readLog(account: string, id: string): Promise<Log> {
  if (!isSubscriptionId(id)) throw noSubscription(id);
  const [log] = await readItems<Log>(webhooks, [
    subscriptionKey(account, id),
    deletedSubscriptionKey(account, id),
  ]);
  if (!log) throw noSubscription(id);
  return log;
}

/** Returns a delivery as its log shows it. After its subscription is deleted, a pending delivery counts as cancelled. */
export const asLogged = <D extends Pick<Delivery, 'phase'>>({ deleted }: Pick<Log, 'deleted'>, item: D): D =>
  deleted && item.phase.at !== 'ended' ? { ...item, phase: { at: 'ended', how: 'cancelled' } } : item;

const dayMs = 24 * 3_600_000;

/** Returns the readable part of a log from a range of times, newest first. */
export async function extentOf(
  account: string,
  subscription: string,
  log: Log,
  { since, before }: TimeRange,
): Promise<Extent> {
  const first = firstLogged(log.logged);
  const [start, end] = await Promise.all([
    since === undefined ? first : firstLoggedSince(account, subscription, log, since),
    before === undefined ? log.logged.count : firstLoggedSince(account, subscription, log, before),
  ]);
  return { start: Math.max(first, start), end: Math.max(first, end), newestFirst: true };
}

/**
 * Returns the position of the first delivery that was stored at or after a time; the length of the log if there is none. Times grow with
 * positions. The log stores the first position of each day, so only a search within one day is needed.
 */
async function firstLoggedSince(
  account: string,
  subscription: string,
  { logged: { days, count } }: Log,
  time: string,
): Promise<number> {
  const day = time.slice(0, 10);
  const later = Object.entries(days).flatMap(([name, first]) => (name > day ? [first] : []));
  const end = Math.min(count, ...later);
  const start = days[day] ?? end;
  const [startMs, wanted] = [Date.parse(day), Date.parse(time)];
  if (start >= end || wanted === startMs) return start;
  const endMs = Math.max(wanted, Math.min(startMs + dayMs, Date.now()));
  return firstSince(wanted, { start, startMs, end, endMs }, (position) =>
    createdAtOf(webhooks.name, deliveryKey(account, subscription, position)),
  );
}

type FilteredDelivery = Pick<Delivery, 'phase' | 'event_type' | 'resource'>;

/** The only field of a delivery that changes. */
export const statusField: ValueField<FilteredDelivery> = {
  name: 'status',
  valuesOf: ({ phase }) => [statusOf(phase)],
  isEnumeration: true,
};

export const deliveryFields: IndexedFields<FilteredDelivery> = {
  values: [
    statusField,
    { name: 'event_type', valuesOf: ({ event_type }) => [event_type], isEnumeration: true },
    { name: 'resource_id', valuesOf: ({ resource }) => [resource.id], isSelective: true },
  ],
  times: [],
};

/**
 * Returns the payload that the latest attempt of a delivery sent, or, before the first attempt, the payload that it will send. Returns
 * undefined if the key may not read it, or if nothing was sent and nothing will be.
 */
function readablePayload(log: Log, { attempts, event_type }: Delivery, access: Access): Payload | undefined {
  const latest = attempts.at(-1);
  const planned = log.deleted ? undefined : payloadOf(log, event_type);
  const payload = latest ? latest.payload : planned;
  return payload === 'full' && !mayRead(access, [event_type]) ? undefined : payload;
}

/** Returns deliveries without the responses of receivers about records that were deleted later. */
export async function withoutHidden<D extends Pick<Delivery, 'attempts' | 'resource' | 'redacted'>>(
  account: string,
  deliveries: readonly D[],
): Promise<D[]> {
  const refOf = ({ resource: { id } }: D) => ({ account, id });
  const quoting = deliveries.filter((delivery) => !delivery.redacted && hasExcerpt(delivery));
  const isHidden = await readHidden(quoting.map(refOf));
  return deliveries.map((delivery) =>
    isHidden(refOf(delivery)) ? { ...delivery, attempts: withoutExcerpts(delivery.attempts) } : delivery,
  );
}

/** @throws ApiError 404 if the log does not have such a delivery, or no longer has it */
export async function readDelivery(
  account: string,
  subscription: string,
  log: Log,
  id: string,
): Promise<Delivery> {
  const isKept = (positionOf(deliveryPrefix, id) ?? -1) >= firstLogged(log.logged);
  const item = isKept ? await findDelivery(account, subscription, id) : undefined;
  if (!item) throw notFound('webhook delivery', id);
  return asLogged(log, item);
}

/**
 * Returns a delivery with the body that was sent, if the calling key may read it and it is still kept. If the record was deleted later, the
 * body has no content. @throws ApiError 404 like `readDelivery`
 */
export async function getDelivery(
  account: string,
  subscription: string,
  id: string,
  access: Access,
): Promise<WebhookDeliveryWithBody> {
  const log = await readLog(account, subscription);
  const delivery = await readDelivery(account, subscription, log, id);
  const keys = [eventKey(account, delivery.event_id), redactionKey(account, delivery.resource.id)];
  const found = await readItems<Partial<StoredEvent>>(webhooks, keys);
  const body = found.find((item) => item.body !== undefined)?.body;
  const isHidden = found.some((item) => item.body === undefined);
  const attempts = isHidden ? withoutExcerpts(delivery.attempts) : delivery.attempts;
  const payload = readablePayload(log, delivery, access);
  return {
    ...shownDelivery({ ...delivery, attempts }, access),
    body: body === undefined || payload === undefined ? null : bodyFor(isHidden ? 'thin' : payload, body),
  };
}

/** @returns undefined if there is no such delivery */
export async function findDelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<Delivery | undefined> {
  const key = deliveryKeyOf(account, subscription, id);
  const delivery = key && (await readItem<Delivery>(webhooks, key));
  return delivery?.id === id ? delivery : undefined;
}
