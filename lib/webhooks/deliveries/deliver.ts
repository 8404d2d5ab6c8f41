import { untilCommitted } from '../../dynamodb/conflicts.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { transact, write } from '../../dynamodb/transact.ts';
import {
  type DeliveryMessage,
  type DeliveryQueue,
  delayMaxSeconds,
  deliveryMessage,
  enqueue,
} from '../jobs/queue.ts';
import { whileUnchanged } from '../model/changeSubscription.ts';
import type { Delivery } from '../model/delivery.ts';
import { isForAnotherHost } from '../model/delivery.ts';
import { deliveryKeyOf, secretsKey, subscriptionKey, suspensionKey } from '../model/keys.ts';
import type { Secrets } from '../model/secrets.ts';
import type { Speed, Subscription } from '../model/subscription.ts';
import { isSuspended, whileSuspended } from '../model/suspension.ts';
import { isPaced } from '../pace/paceItem.ts';
import type { SlotReservations } from '../pace/slotReservations.ts';
import type { CircuitBreaker } from './circuitBreaker.ts';
import { type DueDelivery, makeAttempt } from './makeAttempt.ts';
import { hasSlot, postpone, waitForSlot } from './reschedule.ts';
import { cancelled, failedForOtherHost, held } from './transitions.ts';

/** How long a message is tried again while its subscription changes. A timeout of the function would fail the whole batch. */
const limitMs = 5000;

/** What the messages of one invocation share. */
export interface Invocation {
  breaker: CircuitBreaker;
  /** Its reads of the Webhooks table. */
  reads: GatheredReads;
  slots: SlotReservations;
}

/**
 * Handles a delivery message: makes an attempt if one is due; otherwise holds, cancels or postpones the delivery. A message
 * that is received twice, or that is out of date, does no harm.
 * @param queue the queue that the message was received from
 */
export async function deliver(
  message: DeliveryMessage,
  queue: DeliveryQueue,
  invocation: Invocation,
): Promise<void> {
  const { account } = message;
  await untilCommitted(Date.now() + limitMs, async () => {
    const readAt = Date.now();
    const { delivery, subscription, secrets, suspended } = await read(message, invocation.reads);
    if (delivery?.status !== 'pending') return { done: true };
    if (!subscription || !secrets) await write(cancelled(delivery));
    else if (isForAnotherHost(subscription, delivery)) await write(failedForOtherHost(delivery));
    else if (subscription.status === 'active' && !suspended)
      await attemptIfDue({ account, readAt, delivery, subscription, secrets }, queue, invocation);
    else {
      const reason = (suspended ? whileSuspended : whileUnchanged)(account, subscription);
      // If the reason has just gone, the message is handled again from the start.
      if (!(await transact([reason, held(delivery)])).committed) return undefined;
    }
    return { done: true };
  });
}

/** Makes the attempt of a delivery to an active subscription; before its time, or in the wrong queue, enqueues it again. */
async function attemptIfDue(
  due: DueDelivery,
  queue: DeliveryQueue,
  { breaker, reads, slots }: Invocation,
): Promise<void> {
  const { account, delivery, subscription } = due;
  // It is held until its release, which starts the whole retry schedule again.
  if (delivery.next_attempt_at === undefined) return;
  const again: Speed = queue === 'slow' && subscription.speed === 'silent' ? 'silent' : queue;
  const waitMs = Date.parse(delivery.next_attempt_at) - Date.now();
  if (waitMs > 0) {
    const delaySeconds = Math.ceil(waitMs / 1000);
    // For later times the sweep sends a message. SQS cannot delay one for long: it would be received and sent again for a day.
    if (delaySeconds <= delayMaxSeconds)
      await enqueue([{ message: deliveryMessage(delivery), queue: again, delaySeconds }]);
    return;
  }
  if (queue === 'quick' && subscription.speed !== 'quick') {
    await enqueue([{ message: deliveryMessage(delivery), queue: subscription.speed ?? 'slow' }]);
    return;
  }
  const waiting = { delivery, queue: again };
  if (isPaced(subscription) && !hasSlot(delivery, Date.now())) {
    const startAt = await slots.reserve(account, subscription);
    if (startAt > Date.now()) return waitForSlot(waiting, startAt);
  }
  const isFailing = subscription.consecutive_failures > 0;
  const isMade = await breaker.attempt(subscription.url, isFailing, () => makeAttempt(due, reads));
  if (!isMade) await postpone(waiting);
}

async function read(
  { account, subscription_id, delivery_id }: DeliveryMessage,
  reads: GatheredReads,
): Promise<Partial<DueDelivery> & { suspended: boolean }> {
  const key = deliveryKeyOf(account, subscription_id, delivery_id);
  const [subscription, secrets, suspension, delivery] = await reads.read(
    subscriptionKey(account, subscription_id),
    secretsKey(account, subscription_id),
    suspensionKey(account),
    ...(key ? [key] : []),
  );
  return {
    suspended: isSuspended(suspension),
    ...(delivery?.id === delivery_id ? { delivery: delivery as unknown as Delivery } : {}),
    ...(subscription ? { subscription: subscription as unknown as Subscription } : {}),
    ...(secrets ? { secrets: secrets as unknown as Secrets } : {}),
  };
}
