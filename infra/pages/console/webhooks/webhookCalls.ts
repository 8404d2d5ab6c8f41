import type * as operations from '../../../../lib/contract/console/consoleWebhooks.ts';
import type { ConsoleSubscription } from '../../../../lib/contract/console/consoleWebhooks.ts';
import { eventTypes, isSubscribed } from '../../../../lib/contract/eventTypes.ts';
import type { WebhookDelivery } from '../../../../lib/contract/webhookDeliveries.ts';
import type { RedeliveryRequest } from '../../../../lib/contract/webhookRedeliveries.ts';
import type { SubscriptionDraft, SubscriptionPatch } from '../../../../lib/contract/webhookSubscriptions.ts';
import type { Body } from '../../../../lib/resources/operation.ts';
import { call } from '../call.ts';
import type { Problem } from '../callProblem.ts';
import type { Hours } from '../parts/partTexts.ts';
import type { Pages } from '../parts/usePages.ts';
import { hoursAgo } from '../shownTimes.ts';

export type { ConsoleSubscription };

type Operations = typeof operations;

const path = '/api/webhook-subscriptions' as const;

/** An account has fewer subscriptions. */
const subscriptionsMax = 100;

/** The deliveries of a page. */
const limit = 25;

export async function readSubscriptions(): Promise<ConsoleSubscription[]> {
  const { data } = await call<Operations['consoleListWebhookSubscriptions']>('GET', path, {
    query: { limit: subscriptionsMax },
  });
  return data;
}

export const readSubscription = (id: string) =>
  call<Operations['consoleGetWebhookSubscription']>('GET', `${path}/${id}`);

export const create = (body: SubscriptionDraft, once: string) =>
  call<Operations['consoleCreateWebhookSubscription']>('POST', path, { body, once });

export const update = (id: string, body: SubscriptionPatch, version: number) =>
  call<Operations['consoleUpdateWebhookSubscription']>('PATCH', `${path}/${id}`, { body, version });

/** A subscription that is gone is as wanted: it sends nothing, and the answer to an earlier try may be lost. */
const unlessGone = (problem: Problem): void => {
  if (problem.status !== 404) throw problem;
};

/** Pauses a subscription, whatever version it has. */
export const pause = (id: string) =>
  call<Operations['consoleUpdateWebhookSubscription']>('PATCH', `${path}/${id}`, {
    body: { status: 'paused' },
  }).catch(unlessGone);

export const remove = (id: string) =>
  call<Operations['consoleDeleteWebhookSubscription']>('DELETE', `${path}/${id}`).catch(unlessGone);

export const rotateSecret = (id: string, overlap_seconds: number, once: string) =>
  call<Operations['consoleRotateWebhookSecret']>('POST', `${path}/${id}/rotate-secret`, {
    body: { overlap_seconds },
    once,
  });

/** The type of event that a test sends: the one of tests alone, or an example of another. */
export type TestedType = NonNullable<Body<Operations['consoleTestWebhookSubscription']>['event_type']>;

export const test = (id: string, check_signatures: boolean, event_type: TestedType) =>
  call<Operations['consoleTestWebhookSubscription']>('POST', `${path}/${id}/test`, {
    body: { check_signatures, event_type },
  });

/** Deliveries are kept for so long. */
export const keptHours = 35 * 24;

/** The deliveries to show; an empty text is any. */
export type DeliveryFilter = {
  status: WebhookDelivery['status'] | '';
  event: WebhookDelivery['event_type'] | '';
  /** How many hours ago they begin. */
  hours: Hours;
};

export const anyDelivery: DeliveryFilter = { status: '', event: '', hours: '' };

export interface Deliveries extends Pages<WebhookDelivery, number> {
  total: number;
}

const listDeliveries = (id: string, query: Record<string, string | number | undefined>) =>
  call<Operations['consoleListWebhookDeliveries']>('GET', `${path}/${id}/deliveries`, { query });

/** A page of deliveries, newest first: the first one, or the one after those that are known. */
export async function readDeliveries(
  id: string,
  { status, event, hours } = anyDelivery,
  known?: Deliveries,
): Promise<Deliveries> {
  const offset = known?.next ?? 0;
  const since = hours && hoursAgo(Number(hours));
  const { data, pagination } = await listDeliveries(id, { limit, offset, status, event_type: event, since });
  const end = offset + data.length;
  const ids = new Set(known?.data.map((one) => one.id));
  return {
    // Newer ones have moved the page.
    data: data.filter((one) => !ids.has(one.id)),
    next: data.length > 0 && end < pagination.total ? end : undefined,
    total: pagination.total,
  };
}

/** The deliveries of all subscriptions that an id names: of a delivery, an event or a record. */
export const findDeliveries = (id: string) =>
  call<Operations['findWebhookDeliveries']>('GET', '/api/webhook-deliveries', { query: { id } });

/** A delivery with what was sent. */
export const readDelivery = (id: string, delivery: string) =>
  call<Operations['consoleGetWebhookDelivery']>('GET', `${path}/${id}/deliveries/${delivery}`);

export const redeliver = (id: string, delivery: string, once: string) =>
  call<Operations['consoleRedeliverWebhook']>('POST', `${path}/${id}/deliveries/${delivery}/redeliver`, {
    once,
  });

/** Begins to send many deliveries again. */
export const redeliverMany = (id: string, body: RedeliveryRequest, once: string) =>
  call<Operations['consoleRedeliverWebhooks']>('POST', `${path}/${id}/redeliver`, { body, once });

export const readRedelivery = (id: string, redelivery: string) =>
  call<Operations['consoleGetWebhookRedelivery']>('GET', `${path}/${id}/redeliveries/${redelivery}`);

/** How many deliveries a redelivery of many would send again now. */
export async function countEnded(
  id: string,
  { since, before, event_types, status }: RedeliveryRequest,
): Promise<number> {
  const { pagination } = await listDeliveries(id, {
    limit: 1,
    since,
    before: before ?? undefined,
    status: status === 'all' ? 'failed,succeeded' : status,
    event_type: event_types
      ? eventTypes.filter((type) => isSubscribed(event_types, type)).join(',')
      : undefined,
  });
  return pagination.total;
}
