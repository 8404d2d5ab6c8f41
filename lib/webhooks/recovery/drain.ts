import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { log } from '../../log.ts';
import { recovered } from '../../metrics.ts';
import { enqueue, type RecoveryMessage } from '../deliveries/deliveryQueue.ts';
import { type DueEntry, dueEntries } from '../deliveries/dueIndex.ts';
import { heldPartition, subscriptionKey } from '../keys.ts';
import { startPace } from '../pace/feedback.ts';
import { slotsBefore } from '../pace/gcra.ts';
import { type PaceItem, rateOf, readPace, reserve } from '../pace/paceItem.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { claimOrder, endOrder, type Order, planOrder } from './orders.ts';
import { release } from './release.ts';
import { runMessage } from './startOrders.ts';

/** How long a step may take. The sweep starts the next one when a step has died, or its message was lost. */
const stepMs = 30_000;

/** A step releases what may be sent so long from now. The next step comes after half of it, so that the pace never stops. */
const aheadMs = 2000;
const nextStepSeconds = 1;

/** The most deliveries of a step. */
const releasedMax = 200;

/** After so many overloads in a row the receiver is down again. Then one delivery tries it in this time. */
const overloadsMax = 5;
const waitMs = 5 * 60_000;

/** An index is eventually consistent: it may show a held delivery only after the last step. So the order runs again. In minutes. */
const runsAfter = [1, 5, 15, 60];

/** What an order is run with. */
export interface OrderOwner {
  account: string;
  /** Undefined when it was deleted. */
  subscription: Subscription | undefined;
  /** Whether nothing is sent for the account. */
  suspended: boolean;
}

/**
 * One step of a drain: releases the oldest held deliveries, as many as its receiver may get in the next seconds, and sends the
 * message for the next step. So a drain is paced, and takes no place from others: nothing waits in a function.
 */
export async function drain(message: RecoveryMessage, read: () => Promise<OrderOwner>): Promise<void> {
  const order = await claimOrder(message, new Date(Date.now() + stepMs));
  if (!order) return;
  const { account, subscription, suspended } = await read();
  // Deliveries of a deleted subscription are released to be cancelled.
  if (subscription && (subscription.status !== 'active' || suspended)) return endOrder(order);
  const isLast = subscription
    ? await releasePaced(account, subscription, order)
    : await releaseDeleted(account, message.subscription_id);
  if (isLast === 'waits') return planOrder(order, new Date(Date.now() + waitMs), order.runs);
  if (isLast) return finishRun(order);
  await enqueue([runMessage({ ...message, due: order.enqueue_at }, nextStepSeconds)]);
}

/** @returns whether nothing is held any more; or that the receiver is down */
async function releasePaced(
  account: string,
  subscription: Subscription,
  order: Order,
): Promise<boolean | 'waits'> {
  const isFirst = order.begun_at === order.enqueue_at;
  const known = isFirst ? await startPace(account, subscription) : await readPace(account, subscription);
  const waits = (known.overloads ?? 0) >= overloadsMax;
  const wanted = waits ? 1 : countFor(subscription, known);
  const held = await oldestHeld(account, subscription.id, wanted);
  // A few are no drain: live deliveries need not slow down for them.
  const recovers = held.length >= wanted && held.length > 0;
  if (recovers !== (subscription.recovering_since !== undefined))
    await noteRecovering(account, subscription, recovers);
  if (held.length === 0) return true;
  const slots = await reserve(account, subscription, { count: held.length, isDraining: true, known });
  await release(held, slots, subscription.pace ?? 'slow');
  log.info('held deliveries were released', {
    account,
    subscription: subscription.id,
    ...recovered('deliveries_released', held.length),
  });
  return waits ? 'waits' : false;
}

function countFor(subscription: Subscription, known: PaceItem): number {
  const now = Date.now();
  const rate = rateOf(subscription, true, known);
  return Math.min(releasedMax, slotsBefore(now + aheadMs, known.arrival, now, rate));
}

async function releaseDeleted(account: string, subscription: string): Promise<boolean> {
  const held = await oldestHeld(account, subscription, releasedMax);
  const now = Date.now();
  await release(
    held,
    held.map(() => now),
    'slow',
  );
  return held.length === 0;
}

/** The held deliveries of a subscription, oldest first. */
export async function oldestHeld(account: string, subscription: string, count: number): Promise<DueEntry[]> {
  const { value } = await dueEntries(heldPartition(account, subscription), { pageSize: count }).next();
  return value ?? [];
}

/** While a subscription recovers, its live deliveries keep the pace of the drain, too. */
async function noteRecovering(account: string, { id }: Subscription, recovers: boolean): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: subscriptionKey(account, id),
        ...(recovers
          ? {
              UpdateExpression: 'SET recovering_since = :now',
              ExpressionAttributeValues: { ':now': new Date().toISOString() },
            }
          : { UpdateExpression: 'REMOVE recovering_since' }),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    ),
  );
}

/** Plans the next run of an order that has nothing left to release, or ends it after the last one. */
async function finishRun(order: Order): Promise<void> {
  const minutes = runsAfter[order.runs];
  if (minutes === undefined) await endOrder(order);
  else await planOrder(order, new Date(Date.now() + minutes * 60_000), order.runs + 1);
}
