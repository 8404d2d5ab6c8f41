import { isDeepStrictEqual } from 'node:util';
import { type EventType, eventTypes, isSubscribed } from '../../contract/eventTypes.ts';
import type { RedeliveryRequest, WebhookRedelivery } from '../../contract/webhookRedeliveries.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent } from '../../dynamodb/expressions.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  keepAnswer,
  keptAnswer,
} from '../../dynamodb/idempotency.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { anotherRedelivery } from '../../errors/apiError.ts';
import { randomId } from '../../ids.ts';
import type { Extent } from '../../records/list.ts';
import { enqueueAgainAt } from '../jobs/dueTimes.ts';
import { enqueue } from '../jobs/queue.ts';
import { extentOf } from '../log/extent.ts';
import { countDeliveries } from '../log/listDeliveries.ts';
import { anyDueShard, redeliveryKey, redeliveryPrefix, runningRedeliveryKey } from '../model/keys.ts';
import { readSubscription } from '../model/readSubscriptions.ts';
import type { Subscription } from '../model/subscription.ts';
import { findRedelivery, messageFor, type Redelivery, shownRedelivery } from './redelivery.ts';

/**
 * Starts a bulk redelivery, unless the same one runs already.
 * @returns the redelivery that runs
 * @throws ApiError 404 when the account has no such subscription, 409 when another redelivery of it runs, 422 when the
 *   Idempotency-Key was used for another request
 */
export async function startRedelivery(
  account: string,
  subscription: string,
  request: RedeliveryRequest,
  { deadline, once }: { deadline: number; once: IdempotentRequest | undefined },
): Promise<IdempotentAnswer<WebhookRedelivery>> {
  const { started, ...answer } = await untilCommitted(deadline, async () => {
    const kept = await keptAnswer<WebhookRedelivery>(webhooks, account, once);
    if (kept) return { ...kept, started: undefined };
    const log = await readSubscription(account, subscription);
    const running = await findRunning(account, subscription);
    const item = running ?? (await newRedelivery(account, log, request));
    if (running && !isSame(running, request)) throw anotherRedelivery(running.sk);
    const body = shownRedelivery(item);
    const actions = [
      ...(running ? [whileRunning(running)] : start(account, subscription, item)),
      ...keepAnswer(webhooks, account, once, body),
    ];
    if (!(await transact(actions)).committed) return undefined;
    return { body, replayed: false, started: running ? undefined : item };
  });
  if (started) await enqueue([messageFor(started)]);
  return answer;
}

/** The redelivery of a subscription that runs. Strongly consistent. */
async function findRunning(account: string, subscription: string): Promise<Redelivery | undefined> {
  const named = await readItem<{ redelivery: string }>(webhooks, runningRedeliveryKey(account, subscription));
  const running = named && (await findRedelivery(account, subscription, named.redelivery));
  return running?.state === 'running' ? running : undefined;
}

const isSame = (
  { since, before, status_filter, event_types }: Redelivery,
  request: RedeliveryRequest,
): boolean => isDeepStrictEqual({ since, before, status: status_filter, event_types }, request);

/** Which deliveries it looks at is decided now: later ones have positions behind its end. */
async function newRedelivery(
  account: string,
  log: Subscription,
  request: RedeliveryRequest,
): Promise<Redelivery> {
  const { since, before, status, event_types } = request;
  const times = { since, before: before ?? undefined };
  const extent = await extentOf(account, log.id, log, times);
  const end = Math.max(extent.start, extent.end);
  const start = Math.min(end, Math.max(extent.start, log.host_position ?? 0));
  const counted = await countLeftOut(account, log, request, { ...extent, start, end });
  const earlier_host = start - extent.start;
  const now = new Date();
  return {
    ...redeliveryKey(account, log.id, randomId(redeliveryPrefix)),
    since,
    before,
    event_types,
    status_filter: status,
    state: 'running',
    total: end - extent.start,
    redelivered: 0,
    // What was made for another host is not looked at.
    skipped: earlier_host,
    left_out: { ...counted, earlier_host },
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    next_position: start,
    end_position: end,
    runs: 0,
    due_partition: anyDueShard(),
    enqueue_at: enqueueAgainAt(now),
  };
}

/** Refused when another redelivery of the subscription was started meanwhile. */
const start = (account: string, subscription: string, item: Redelivery): Action[] => [
  webhooks.put(
    { ...runningRedeliveryKey(account, subscription), redelivery: item.sk },
    { if: { pk: absent } },
  ),
  webhooks.put(item),
];

/** Lets a transaction commit only while a redelivery runs. */
const whileRunning = ({ pk, sk }: Redelivery): Action => webhooks.check({ pk, sk }, { state: 'running' });

/**
 * What a bulk redelivery leaves out of a part of a log, and why. The index counts it, which follows a change within about two seconds;
 * a delivery that is not in the index yet is pending.
 * @param log its subscription
 * @param extent the deliveries to its present host
 */
async function countLeftOut(
  account: string,
  log: Subscription,
  { status, event_types }: RedeliveryRequest,
  extent: Extent,
): Promise<Omit<WebhookRedelivery['left_out'], 'earlier_host'>> {
  const isChosen = (type: EventType) => event_types === null || isSubscribed(event_types, type);
  const { true: chosenTypes = [], false: otherTypes = [] } = Object.groupBy(eventTypes, (type) =>
    isChosen(type) ? 'true' : 'false',
  );
  const count = (query: Parameters<typeof countDeliveries>[3]) =>
    countDeliveries(account, log.id, log, query, extent);
  const [other_type, succeeded, failed] = await Promise.all([
    otherTypes.length === 0 ? 0 : count({ event_type: otherTypes }),
    count({ status: ['succeeded'], event_type: chosenTypes }),
    count({ status: ['failed'], event_type: chosenTypes }),
  ]);
  const pending = Math.max(0, extent.end - extent.start - other_type - succeeded - failed);
  return { pending, other_status: status === 'failed' ? succeeded : 0, other_type };
}
