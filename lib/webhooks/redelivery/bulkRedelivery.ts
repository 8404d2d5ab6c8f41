import { isDeepStrictEqual } from 'node:util';
import type { Who } from '../../activity/author.ts';
import { isSubscribed } from '../../contract/eventTypes.ts';
import type { RedeliveryRequest, WebhookRedelivery } from '../../contract/webhookRedeliveries.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent } from '../../dynamodb/expressions.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import {
  type IdempotentAnswer,
  type IdempotentRequest,
  readAnswer,
  storeAnswer,
} from '../../dynamodb/idempotency.ts';
import type { Item } from '../../dynamodb/item.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact, write } from '../../dynamodb/transact.ts';
import { anotherRedelivery, notFound } from '../../errors/apiError.ts';
import { randomId } from '../../ids.ts';
import { log } from '../../logs/log.ts';
import { askedAgain } from '../deliveries/transitions.ts';
import { extentOf, readLog } from '../log/deliveryLog.ts';
import { type Delivery, isUnderWay, logPositionOf } from '../model/delivery.ts';
import { recordedChange } from '../model/recordedChange.ts';
import { isProven, isSent, type Subscription } from '../model/subscription.ts';
import { isSuspended, readSubscription, runningRedelivery } from '../model/subscriptions.ts';
import {
  anyDueShard,
  isRedeliveryId,
  ownerOf,
  redeliveryKey,
  redeliveryPrefix,
  runningRedeliveryKey,
  subscriptionKey,
  suspensionKey,
} from '../model/webhookKeys.ts';
import {
  enqueueAgainAt,
  enqueueDeliveries,
  type RecoveryMessage,
  recoveryMessage,
} from '../queue/messages.ts';
import {
  answersOf,
  changeDeliveries,
  enqueueAll,
  resumePosition,
  scan,
  unprovenTurn,
} from '../recovery/window.ts';

/** A bulk redelivery as it is stored. It works like a recovery, over positions of the log. */
export interface Redelivery extends Omit<WebhookRedelivery, 'id' | 'subscription_id'> {
  pk: string;
  /** Its id. An attribute `id` would make it a delivery in the due index. */
  sk: string;
  /** The position in the log at which it continues. */
  next_position: number;
  /** The position after the last delivery that it examines. */
  end_position: number;
  /** The position at which its last window began. */
  from_position?: number;
  /** Grows with each step. Each step requires the number that it has read. */
  runs: number;
  /** Its partition of the due index while it runs, and the time at which the sweep sends a message for it. */
  due_partition?: string | undefined;
  enqueue_at?: string | undefined;
  /** Epoch seconds. Undefined while it runs: if a running redelivery expired, no other could start. */
  ttl?: number | undefined;
}

/** How long a redelivery stays readable after its last step. */
const keptSeconds = 30 * 24 * 3600;

const expiryAfter = (step: Date): number => Math.ceil(step.getTime() / 1000) + keptSeconds;

export const findRedelivery = (
  account: string,
  subscription: string,
  id: string,
): Promise<Redelivery | undefined> => readItem(webhooks, redeliveryKey(account, subscription, id));

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
  // In the order of the contract, because a stored map has no order.
  left_out: {
    pending: item.left_out.pending,
    other_status: item.left_out.other_status,
    other_type: item.left_out.other_type,
    earlier_host: item.left_out.earlier_host,
  },
  created_at: item.created_at,
  updated_at: item.updated_at,
});

/**
 * Returns a bulk redelivery. After its subscription is deleted, it counts as cancelled, although its item changes only with its next message.
 * @throws ApiError 404 if the account has no such subscription or redelivery, and had none recently
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
 * Starts a bulk redelivery, unless the same one is already running. If a person asks for it, the activity is recorded.
 * @returns the running redelivery
 * @throws ApiError 404 if the account has no such subscription, 409 if another redelivery of it is running, 422 if the Idempotency-Key belongs
 *   to another request
 */
export async function startRedelivery(
  account: string,
  subscription: string,
  request: RedeliveryRequest,
  { deadline, once, who }: { deadline: number; once: IdempotentRequest | undefined; who?: Who | undefined },
): Promise<IdempotentAnswer<WebhookRedelivery>> {
  const { started, ...answer } = await untilCommitted(deadline, async () => {
    const kept = await readAnswer<WebhookRedelivery>(webhooks, account, once);
    if (kept) return { ...kept, started: undefined };
    const to = await readSubscription(account, subscription);
    const running = await findRunning(account, subscription);
    const item = running ?? (await newRedelivery(account, to, request));
    if (running && !isSame(running, request)) throw anotherRedelivery(running.sk);
    const body = shownRedelivery(item);
    const actions = [
      ...(running
        ? [whileRunning(running)]
        : [
            ...start(account, subscription, item),
            ...recordedChange(account, 'subscription.redelivered', to, who, [
              { field: 'deliveries', before: null, after: `${request.status}, since ${request.since}` },
            ]),
          ]),
      ...storeAnswer(webhooks, account, once, body),
    ];
    if (!(await transact(actions)).committed) return undefined;
    return { body, replayed: false, started: running ? undefined : item };
  });
  if (started) await enqueueDeliveries([recoveryMessage(account, subscription, 0, started.sk)]);
  return answer;
}

/** Returns the running redelivery of a subscription. Strongly consistent. */
async function findRunning(account: string, subscription: string): Promise<Redelivery | undefined> {
  const id = await runningRedelivery(account, subscription);
  const running = id && (await findRedelivery(account, subscription, id));
  return running && running.state === 'running' ? running : undefined;
}

const isSame = (
  { since, before, status_filter, event_types }: Redelivery,
  request: RedeliveryRequest,
): boolean => isDeepStrictEqual({ since, before, status: status_filter, event_types }, request);

/** Creates a redelivery. The range of deliveries is fixed now: later deliveries have positions after its end. */
async function newRedelivery(
  account: string,
  to: Subscription,
  { since, before, status, event_types }: RedeliveryRequest,
): Promise<Redelivery> {
  const { start, end } = await extentOf(account, to.id, to, { since, before: before ?? undefined });
  const end_position = Math.max(start, end);
  // Deliveries to an earlier host are skipped without a read.
  const next_position = Math.min(end_position, Math.max(start, to.host_position ?? 0));
  const earlier_host = next_position - start;
  const now = new Date();
  return {
    ...redeliveryKey(account, to.id, randomId(redeliveryPrefix)),
    since,
    before,
    event_types,
    status_filter: status,
    state: 'running',
    total: end_position - start,
    redelivered: 0,
    skipped: earlier_host,
    left_out: { pending: 0, other_status: 0, other_type: 0, earlier_host },
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    next_position,
    end_position,
    runs: 0,
    due_partition: anyDueShard(),
    enqueue_at: enqueueAgainAt(now),
  };
}

/** Returns actions that are refused if another redelivery of the subscription started in the meantime. */
const start = (account: string, subscription: string, item: Redelivery): Action[] => [
  webhooks.put(
    { ...runningRedeliveryKey(account, subscription), redelivery: item.sk },
    { if: { pk: absent } },
  ),
  webhooks.put(item),
];

/** Lets a transaction commit only while a redelivery is running. */
const whileRunning = ({ pk, sk }: Redelivery): Action => webhooks.check({ pk, sk }, { state: 'running' });

/** A step resends at most this many deliveries. The next step follows one second later. */
const sizeMax = 10;

/** How long a redelivery waits while its host is unproven or its subscription receives no events. */
const waitsMs = 15 * 60_000;

/**
 * Handles a message that continues a bulk redelivery: a recovery over ended deliveries, with an end, a filter and counters. A message that is
 * received twice is harmless, because each step requires the number of steps before it.
 */
export async function continueRedelivery(
  { account, subscription_id: id }: RecoveryMessage,
  redelivery_id: string,
  reads: GatheredReads,
): Promise<void> {
  const [redelivery, to, suspension] = await reads.read<[Redelivery, Subscription, Item]>(
    redeliveryKey(account, id, redelivery_id),
    subscriptionKey(account, id),
    suspensionKey(account),
  );
  if (redelivery?.state !== 'running') return;
  if (!to) return void (await commit(account, id, redelivery, { state: 'cancelled' }));
  await step(account, redelivery, to, isSuspended(suspension));
}

async function step(
  account: string,
  redelivery: Redelivery,
  to: Subscription,
  isAccountSuspended: boolean,
): Promise<void> {
  const { id, host_position = 0 } = to;
  const { sk, next_position, end_position, from_position = next_position, updated_at } = redelivery;
  const now = Date.now();
  const next = (delaySeconds: number) => enqueueDeliveries([recoveryMessage(account, id, delaySeconds, sk)]);
  const isMine = ({ redelivery: last }: Delivery): boolean => last === sk;
  const window = { from: from_position, to: next_position, since: updated_at };
  const { open } = await answersOf(account, id, window, isMine);
  if (open > 0) return void (await next(1));
  const turn = unprovenTurn(account, to, now);
  const isFree = isProven(to) || Date.parse(turn.at) <= now;
  const mayBeSent = isSent(to) && !isAccountSuspended && isFree;
  let before = 0;
  const passed: { position: number; why: LeftOut }[] = [];
  const from = Math.max(next_position, Math.min(host_position, end_position));
  const most = !mayBeSent ? 0 : isProven(to) ? sizeMax : 1;
  const found = await scan(account, to, { from, end: end_position, most }, (delivery) => {
    // An earlier attempt at this step resent this delivery, but was not committed.
    if (isMine(delivery)) before++;
    const why = isMine(delivery) ? undefined : leftOutFor(redelivery, delivery, now);
    if (why) passed.push({ position: logPositionOf(delivery), why });
    return why || isMine(delivery) ? 'pass' : 'take';
  });
  if (found.taken.length > 0 && !isProven(to))
    if (!(await write(turn.action)).committed) return void (await next(1));
  const due = new Date(now).toISOString();
  const sent = await changeDeliveries(found.taken, (delivery) => askedAgain(delivery, due, now, sk).action);
  await enqueueAll(sent, to);
  const reached = Math.max(next_position, resumePosition(found.next, found.taken, sent));
  // Deliveries after this position are counted when they are read again.
  const again = before + sent.filter((delivery) => logPositionOf(delivery) < reached).length;
  const left_out = { ...redelivery.left_out };
  left_out.earlier_host += from - next_position;
  for (const { position, why } of passed) if (position < reached) left_out[why] += 1;
  const waits = found.end === 'full' && found.taken.length === 0;
  const isCommitted = await commit(account, id, redelivery, {
    state: reached >= end_position ? 'completed' : 'running',
    next_position: reached,
    from_position: next_position,
    redelivered: redelivery.redelivered + again,
    skipped: redelivery.skipped + reached - next_position - again,
    left_out,
    enqueue_at: new Date(waits ? now + waitsMs : Date.parse(enqueueAgainAt(new Date(now)))).toISOString(),
  });
  if (isCommitted && !waits && reached < end_position) await next(sent.length > 0 ? 1 : 0);
}

type LeftOut = keyof Redelivery['left_out'];

/** Returns why a redelivery leaves out a delivery; undefined if it resends it. A pending delivery's event is sent anyway. */
function leftOutFor(
  { status_filter, event_types }: Redelivery,
  delivery: Delivery,
  now: number,
): LeftOut | undefined {
  const { phase, event_type } = delivery;
  if (event_types !== null && !isSubscribed(event_types, event_type)) return 'other_type';
  if (phase.at !== 'ended')
    return status_filter === 'pending' && !isUnderWay(delivery, now) ? undefined : 'pending';
  const isChosen =
    (phase.how === 'failed' && status_filter !== 'pending') ||
    (phase.how === 'succeeded' && status_filter === 'all');
  return isChosen ? undefined : 'other_status';
}

/** @returns false if another message has made the same step */
async function commit(
  account: string,
  id: string,
  { pk, sk, runs }: Redelivery,
  changes: Partial<Redelivery>,
): Promise<boolean> {
  const now = new Date();
  const isOver = changes.state !== 'running';
  const action = webhooks.update(
    { pk, sk },
    {
      ...changes,
      runs: runs + 1,
      updated_at: now.toISOString(),
      ...(isOver ? { due_partition: undefined, enqueue_at: undefined, ttl: expiryAfter(now) } : {}),
    },
    { if: { runs } },
  );
  // Lets another redelivery of the subscription start.
  const free = webhooks.delete(runningRedeliveryKey(account, id), { if: { redelivery: sk } });
  const { committed } = await transact(isOver ? [action, free] : [action]);
  if (committed && isOver)
    log.info('a bulk redelivery ended', { account, subscription_id: id, redelivery_id: sk, ...changes });
  return committed;
}
