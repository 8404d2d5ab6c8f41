import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readMany } from '../../dynamodb/batch.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { log } from '../../log.ts';
import { probeFailed } from '../../metrics.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { RecoveryMessage } from '../deliveries/deliveryQueue.ts';
import { ownerOf, subscriptionKey } from '../keys.ts';
import type { Outcome } from '../sending/attempt.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { type OrderOwner, oldestHeld } from './drain.ts';
import { expireHeld } from './expire.ts';
import { claimOrder, endOrder, type Order, planOrder } from './orders.ts';
import { betweenMs } from './probeTimes.ts';

const minuteMs = 60_000;

/** Longer than a probe takes. The sweep repeats one that has died. */
const probeMs = minuteMs;

/** While nothing is held, a look costs two reads, and the first event is soon tried. */
const nothingHeldMs = 15 * minuteMs;

/** What is held on purpose is only given up in the end. */
const heldMs = 24 * 60 * minuteMs;

/** Whether deliveries of a subscription are held for any reason. */
const holds = ({ status, parked_since }: Subscription): boolean =>
  status !== 'active' || parked_since !== undefined;

/** Whether a subscription has held deliveries that no owner has asked to hold. */
const isProbed = ({ status, parked_since }: Subscription): boolean =>
  status === 'suspended' || (status === 'active' && parked_since !== undefined);

/**
 * Gives up what was held for too long, and tries a receiver with the oldest held delivery. A success makes its subscription active;
 * after a failure the delivery is held as before, and the next probe tries another one, because the delivery may be at fault. The
 * receiver of a subscription that is paused or disabled, or whose account is suspended, is not tried.
 * @param attempt makes an attempt of a held delivery; undefined when another one is under way
 */
export async function probe(
  message: RecoveryMessage,
  read: () => Promise<OrderOwner>,
  attempt: (subscription: Subscription, delivery: Delivery) => Promise<Outcome | undefined>,
): Promise<void> {
  const order = await claimOrder(message, new Date(Date.now() + probeMs));
  if (!order) return;
  const { account, subscription, suspended } = await read();
  if (!subscription || !(suspended || holds(subscription))) return endOrder(order);
  const isMoreExpired = await expireHeld(account, subscription);
  if (isMoreExpired) return planOrder(order, new Date(), order.runs);
  if (!isProbed(subscription)) return planOrder(order, new Date(Date.now() + heldMs), order.runs);
  const delivery = suspended ? undefined : await readOldest(account, subscription.id);
  const outcome = delivery && (await attempt(subscription, delivery));
  // The transaction of the success has deleted the order. If it failed, the sweep repeats the probe.
  if (outcome === 'success') return;
  if (outcome === undefined) return plan(account, order, nothingHeldMs, order.runs);
  logFailure(account, subscription);
  await plan(account, order, betweenMs(order.runs + 1), order.runs + 1);
}

function logFailure(account: string, { id, parked_since, failing_since }: Subscription): void {
  const now = Date.now();
  const since = parked_since ?? failing_since;
  const waitedMs = since === undefined ? 0 : now - Date.parse(since);
  log.info('a probe failed', { account, subscription: id, ...probeFailed(waitedMs) });
}

async function readOldest(account: string, subscription: string): Promise<Delivery | undefined> {
  const [oldest] = await oldestHeld(account, subscription, 1);
  if (!oldest) return undefined;
  const [item] = await readMany(required(env.webhooksTable), [{ pk: oldest.pk, sk: oldest.sk }]);
  const delivery = item as Delivery | undefined;
  return delivery?.due_partition === oldest.due_partition ? delivery : undefined;
}

async function plan(account: string, order: Order, waitMs: number, runs: number): Promise<void> {
  const next = new Date(Date.now() + waitMs);
  await planOrder(order, next, runs);
  await noteNextProbe(account, ownerOf(order.pk).subscription, next);
}

/** Shows the time of the next probe. */
async function noteNextProbe(account: string, id: string, next: Date): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: subscriptionKey(account, id),
        UpdateExpression: 'SET next_probe_at = :next',
        ConditionExpression: '#status = :suspended',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':next': next.toISOString(), ':suspended': 'suspended' },
      }),
    ),
  );
}
