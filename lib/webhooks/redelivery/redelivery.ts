import { isDeepStrictEqual } from 'node:util';
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
import { anotherRedelivery, notFound } from '../../errors/apiError.ts';
import { randomId } from '../../ids.ts';
import { extentOf, readLog } from '../log/log.ts';
import {
  anyDueShard,
  isRedeliveryId,
  ownerOf,
  redeliveryKey,
  redeliveryPrefix,
  runningRedeliveryKey,
} from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { readSubscription } from '../model/subscriptions.ts';
import { enqueueAgainAt } from '../queue/due.ts';
import { enqueue, recoveryMessage } from '../queue/messages.ts';

/** A bulk redelivery as it is stored: a recovery over positions of the log. */
export interface Redelivery extends Omit<WebhookRedelivery, 'id' | 'subscription_id'> {
  pk: string;
  /** Its id. The attribute `id` would make it a delivery in the due index. */
  sk: string;
  /** The position in the log from which it goes on. */
  next_position: number;
  /** The first position behind the deliveries that it looks at. */
  end_position: number;
  /** The position at which its last window began. */
  from_position?: number;
  /** How many steps it has made. Each step requires the number that it has read. */
  runs: number;
  /** Its partition of the due index while it runs, and when the sweep sends a message for it. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
  /** Epoch seconds; undefined while it runs, because no other could start after one that has expired. */
  ttl?: number | undefined;
}

/** How long a redelivery can be read after its last step. */
const keptSeconds = 30 * 24 * 3600;

export const expiryAfter = (step: Date): number => Math.ceil(step.getTime() / 1000) + keptSeconds;

/** Strongly consistent. @returns undefined when there is none */
export const findRedelivery = (
  account: string,
  subscription: string,
  id: string,
): Promise<Redelivery | undefined> => readItem(webhooks, redeliveryKey(account, subscription, id));

/** In the order of the contract: a stored map has none. */
const shownLeftOut = ({
  pending,
  other_status,
  other_type,
  earlier_host,
}: WebhookRedelivery['left_out']): WebhookRedelivery['left_out'] => ({
  pending,
  other_status,
  other_type,
  earlier_host,
});

export const shownRedelivery = (item: Redelivery): WebhookRedelivery => ({
  id: item.sk,
  subscription_id: ownerOf(item.pk).subscription,
  since: item.since,
  before: item.before,
  event_types: item.event_types,
  status_filter: item.status_filter,
  state: item.state,
  total: item.total,
  redelivered: item.redelivered,
  skipped: item.skipped,
  left_out: shownLeftOut(item.left_out),
  created_at: item.created_at,
  updated_at: item.updated_at,
});

/**
 * A bulk redelivery. One of a deleted subscription is cancelled: its item says so only after its next message.
 * @throws ApiError 404 when the account has, and lately had, no such subscription or redelivery
 */
export async function getRedelivery(
  account: string,
  subscription: string,
  id: string,
): Promise<WebhookRedelivery> {
  const { deleted } = await readLog(account, subscription);
  const item = isRedeliveryId(id) ? await findRedelivery(account, subscription, id) : undefined;
  // DynamoDB may remove expired items days later.
  if (!item || (item.ttl ?? Number.POSITIVE_INFINITY) * 1000 < Date.now()) throw notFound('redelivery', id);
  const shown = shownRedelivery(item);
  return deleted && shown.state === 'running' ? { ...shown, state: 'cancelled' } : shown;
}

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
  if (started) await enqueue([recoveryMessage(account, subscription, 0, started.sk)]);
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
  // Deliveries to an earlier host are skipped without being read.
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
    skipped: earlier_host,
    left_out: { pending: 0, other_status: 0, other_type: 0, earlier_host },
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
