import { absent, absentOrBelow, sameAs } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import type { DueEntry } from '../jobs/dueIndex.ts';
import { firstDue } from '../jobs/dueTimes.ts';
import type { Delivery } from '../model/delivery.ts';
import { expiryOfLogged } from '../model/kept.ts';
import { heldPartition, ownerOf } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

// All changes of a delivery: what it must be, and what it becomes. No other file writes deliveries, but for the sweep, which notes its messages.

type Key = Pick<Delivery, 'pk' | 'sk'>;

const keyOf = ({ pk, sk }: Key) => ({ pk, sk });

/** No attempt is under way. */
const unclaimed = (now: number) => ({ claimed_until: absentOrBelow(new Date(now).toISOString()) });

/** Pending, and no attempt was made since it was read. */
const asRead = ({ attempt_count }: Delivery) => ({ status: 'pending', attempt_count });

const notDue = { due_partition: undefined, enqueue_at: undefined };

/** new → pending */
export const created = (delivery: Delivery, now: Date): Action =>
  webhooks.put({ ...delivery, ttl: expiryOfLogged(now) }, { if: { pk: absent } });

/** pending → under way. If the function dies with the claim, the sweep sends a message when it has ended. */
export const claimed = (delivery: Delivery, claim: string, until: string, now: number): Action =>
  webhooks.update(
    keyOf(delivery),
    { claim, claimed_until: until, enqueue_at: until },
    { if: { ...asRead(delivery), ...unclaimed(now) }, showsItem: true },
  );

/** pending → pending at another time. An attempt or a redelivery that has begun since it was read sets a time itself. */
export const rescheduled = (delivery: Delivery, due: Partial<Delivery>, now: number): Action =>
  webhooks.update(keyOf(delivery), due, {
    if: { ...asRead(delivery), next_attempt_at: delivery.next_attempt_at, ...unclaimed(now) },
  });

/** pending → held. The transaction must also require a reason to hold it: whoever ends that reason starts a release. */
export const held = (delivery: Delivery): Action =>
  webhooks.update(
    keyOf(delivery),
    {
      due_partition: heldPartition(ownerOf(delivery.pk).account, delivery.subscription_id),
      next_attempt_at: undefined,
    },
    { if: asRead(delivery) },
  );

/** held → pending, each with the whole retry schedule before it, or with the first steps of it after it was parked. */
export const released = (entry: DueEntry, due: Partial<Delivery>, now: number): Action =>
  webhooks.update(
    keyOf(entry),
    {
      ...due,
      schedule_start: sameAs('attempt_count'),
      slots: 1,
      released_at: new Date(now).toISOString(),
      postponements: undefined,
    },
    { if: { due_partition: entry.due_partition } },
  );

/** held → failed. One that is being tried is left to the next run. */
export const expired = (entry: DueEntry, now: number): Action =>
  webhooks.update(
    keyOf(entry),
    { status: 'failed', status_reason: 'expired', ...notDue },
    { if: { due_partition: entry.due_partition, ...unclaimed(now) } },
  );

/** pending → cancelled: its subscription was deleted. */
export const cancelled = (delivery: Delivery): Action => ended(delivery, { status: 'cancelled' });

/** pending → failed: it was sent again, and its subscription has got another host since. */
export const failedForOtherHost = (delivery: Delivery): Action =>
  ended(delivery, { status: 'failed', status_reason: 'other_host' });

const ended = (delivery: Delivery, ending: Partial<Delivery>): Action =>
  webhooks.update(
    keyOf(delivery),
    { ...ending, next_attempt_at: undefined, ...notDue },
    { if: { status: 'pending' } },
  );

/**
 * under way → pending, held, succeeded or failed. Only while the claim is held, and no other redelivery and no erasure has come since
 * the delivery was read.
 * @param keepsTimes whether it stays held, or released if it was released during the attempt
 */
export function attempted(claim: string, read: Delivery, after: Delivery, keepsTimes: boolean): Action {
  const { status, status_reason, attempt_count, attempts, schedule_start } = after;
  const { next_attempt_at, due_partition, enqueue_at, slots, parked, strikes } = after;
  const times = { schedule_start, next_attempt_at, due_partition, enqueue_at, slots, parked, strikes };
  return webhooks.update(
    keyOf(after),
    {
      status,
      status_reason,
      attempt_count,
      attempts,
      ...(keepsTimes ? {} : times),
      claim: undefined,
      claimed_until: undefined,
    },
    {
      if: { claim, redelivery: read.redelivery, ...(read.erased ? {} : { erased: absent }) },
      showsItem: true,
    },
  );
}

/**
 * any → pending or held: its event is sent again, with the whole retry schedule. The transaction must also require that the subscription
 * is unchanged, because a delivery to one that is not active is held.
 * @param redelivery the id of the redelivery that asks for it
 * @returns the delivery after it, and the write, on the condition that the delivery is as it was read
 */
export function restarted(
  account: string,
  to: Subscription,
  delivery: Delivery,
  redelivery: string,
): { next: Delivery; action: Action } {
  const { status, attempt_count } = delivery;
  const changes = {
    status: 'pending' as const,
    status_reason: undefined,
    schedule_start: attempt_count,
    postponements: undefined,
    slots: undefined,
    parked: undefined,
    strikes: undefined,
    ...firstDue(account, to, new Date()),
    // An attempt that is under way keeps its claim. It began before this request, so another attempt follows it.
    redelivery,
    resent: status === 'pending' ? delivery.resent : (true as const),
  };
  const action = webhooks.update(keyOf(delivery), changes, { if: { attempt_count, status } });
  return { next: { ...delivery, ...changes }, action };
}

/** any → without what receivers have answered. */
export const blanked = (delivery: Delivery): Action =>
  webhooks.update(
    keyOf(delivery),
    { attempts: delivery.attempts.map((attempt) => ({ ...attempt, response_excerpt: null })), erased: true },
    { if: { attempt_count: delivery.attempt_count } },
  );
