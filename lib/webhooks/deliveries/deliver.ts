import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absentOrBelow, plus } from '../../dynamodb/expressions.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import type { Item } from '../../dynamodb/item.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact, write, writeUpdate } from '../../dynamodb/transact.ts';
import { type Delivery, type Ending, isUnderWay, logPositionOf } from '../model/delivery.ts';
import type { Secrets } from '../model/secrets.ts';
import { isProbed, isSent, type Speed, type Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/subscriptions.ts';
import {
  deliveryKeyOf,
  ownerOf,
  paceKey,
  secretsKey,
  subscriptionKey,
  suspensionKey,
} from '../model/webhookKeys.ts';
import {
  type DeliveryMessage,
  type DeliveryQueue,
  deliveryMessage,
  enqueueDeliveries,
  enqueueFor,
} from '../queue/messages.ts';
import { type DueDelivery, makeAttempt, type StepResult } from './attempt.ts';
import { ended, rested, waiting } from './transitions.ts';

/** The longest that conflicts are retried. If the function timed out, the whole batch would fail. */
const limitMs = 5000;

interface Found {
  /** The time before the reads, in epoch milliseconds. */
  readAt: number;
  delivery: Delivery;
  subscription: Subscription | undefined;
  secrets: Secrets | undefined;
  isAccountSuspended: boolean;
}

/**
 * The next action for a delivery. wait: until its attempt is due, or until another attempt is over. rest: the delivery is held until its
 * subscription is sent events. requeue: its receiver is not known to be quick. attempt: makes an attempt, with the items that it needs.
 */
type Decision =
  | { what: 'nothing' }
  | { what: 'end'; ending: Ending }
  | { what: 'wait'; until: string }
  | { what: 'hold' | 'requeue'; subscription: Subscription }
  | ({ what: 'attempt' } & Pick<DueDelivery, 'subscription' | 'secrets' | 'isProbe'>);

function decide(
  { delivery, subscription, secrets, isAccountSuspended }: Found,
  { probe }: DeliveryMessage,
  queue: DeliveryQueue,
): Decision {
  const now = Date.now();
  const { phase } = delivery;
  if (phase.at === 'ended') return { what: 'nothing' };
  if (phase.at === 'leased' && isUnderWay(delivery, now)) return { what: 'wait', until: phase.until };
  if (!subscription || !secrets) return { what: 'end', ending: { how: 'cancelled' } };
  // Another host has received this event. An event that no host has received goes to the present one.
  if (delivery.resent && logPositionOf(delivery) < (subscription.host_position ?? 0))
    return { what: 'end', ending: { how: 'failed', why: 'other_host' } };
  // Only a held delivery can be a probe. After a failure it is held again, and the recovery still finds it.
  const isHeld = delivery.due_partition === undefined;
  const isProbe = probe === true && isHeld && isProbed(subscription);
  if (isAccountSuspended || !(isSent(subscription) || isProbe))
    return isHeld ? { what: 'nothing' } : { what: 'hold', subscription };
  if (phase.at === 'waiting' && Date.parse(phase.due) > now) return { what: 'wait', until: phase.due };
  if (queue === 'quick' && subscription.receiver.speed !== 'quick') return { what: 'requeue', subscription };
  return { what: 'attempt', subscription, secrets, isProbe };
}

/**
 * Handles a delivery message. A duplicate or outdated message is harmless.
 * @param queue the queue from which the message was received
 * @param reads the reads of this invocation
 */
export async function deliver(
  message: DeliveryMessage,
  queue: DeliveryQueue,
  reads: GatheredReads,
): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    const found = await read(message, reads);
    const result = found ? await act(found, decide(found, message, queue), queue, reads) : 'done';
    return result === 'done' ? result : undefined;
  });
}

async function act(
  { readAt, delivery, subscription: to, isAccountSuspended }: Found,
  decision: Decision,
  queue: DeliveryQueue,
  reads: GatheredReads,
): Promise<StepResult> {
  const { account } = ownerOf(delivery.pk);
  const same: Speed = queue === 'slow' && to?.receiver.speed === 'silent' ? 'silent' : queue;
  switch (decision.what) {
    case 'nothing':
      return 'done';
    case 'end':
      return commit([ended(delivery, decision.ending)]);
    case 'hold':
      return commit(rested(account, decision.subscription, isAccountSuspended, delivery, Date.now()));
    case 'wait':
      await enqueueFor(delivery, decision.until, same);
      return 'done';
    case 'requeue':
      await enqueueDeliveries([deliveryMessage(delivery, decision.subscription.receiver.speed)]);
      return 'done';
    case 'attempt': {
      const { subscription, secrets, isProbe } = decision;
      const rate = subscription.max_per_second;
      if (rate && !hasSlot(delivery, Date.now())) {
        const startAt = await reserveSlot(account, subscription.id, rate);
        if (startAt > Date.now()) return waitForSlot(delivery, startAt, same);
      }
      return makeAttempt({ account, readAt, delivery, subscription, secrets, isProbe }, reads);
    }
  }
}

const commit = async ([first, ...others]: [Action, ...Action[]]): Promise<StepResult> =>
  (await (others.length > 0 ? transact([first, ...others]) : write(first))).committed ? 'done' : 'changed';

/** Schedules a delivery for its rate-limit slot, so that no function has to wait. */
async function waitForSlot(delivery: Delivery, startAt: number, queue: Speed): Promise<StepResult> {
  const slots = delivery.phase.at === 'waiting' ? (delivery.phase.slots ?? 0) + 1 : 1;
  const due = new Date(startAt).toISOString();
  const result = await commit([waiting(delivery, due, Date.now(), slots)]);
  if (result === 'done') await enqueueFor(delivery, due, queue);
  return result;
}

/** @returns undefined if there is no such delivery */
async function read(
  { account, subscription_id, delivery_id }: DeliveryMessage,
  reads: GatheredReads,
): Promise<Found | undefined> {
  const key = deliveryKeyOf(account, subscription_id, delivery_id);
  if (!key) return undefined;
  const readAt = Date.now();
  const [subscription, secrets, suspension, delivery] = await reads.read<
    [Subscription, Secrets, Item, Delivery]
  >(
    subscriptionKey(account, subscription_id),
    secretsKey(account, subscription_id),
    suspensionKey(account),
    key,
  );
  if (delivery?.id !== delivery_id) return undefined;
  const isAccountSuspended = isSuspended(suspension);
  return { readAt, delivery, subscription, secrets, isAccountSuspended };
}

// The rate limiter behind `max_per_second`. It uses the generic cell rate algorithm (ITU-T I.371), a leaky bucket that stores only one time:
// the theoretical arrival time of the next attempt.

/** How early an attempt may be for its slot. SQS rounds delays up to whole seconds. With this tolerance, a delay never ends after its slot. */
const toleranceMs = 1000;

/** A slot expires after this time. Otherwise, many attempts that are late together would start together. */
const lateMs = 5000;

/** The most slots for one attempt. With more, a pipeline that is always late would reserve slots and make no attempt. */
const slotsMax = 2;

function hasSlot({ phase }: Pick<Delivery, 'phase'>, now: number): boolean {
  if (phase.at !== 'waiting') return false;
  const { slots = 0, due } = phase;
  return slots >= slotsMax || (slots > 0 && now - Date.parse(due) <= lateMs);
}

/** The item is useless after a day without an attempt. */
const keptSeconds = 24 * 3600;

const ttlFor = (arrival: number): number => Math.ceil(arrival / 1000) + keptSeconds;

/**
 * Reserves a slot for an attempt, with one or two writes. Concurrent reservations do not wait for each other, because each adds to the time
 * that it finds. Slots are evenly spaced. In a span of T seconds, at most `rate × (T + 1) + 1` attempts begin.
 * @param rate attempts per second
 * @returns when the attempt may begin, in epoch milliseconds
 */
async function reserveSlot(account: string, id: string, rate: number): Promise<number> {
  const key = paceKey(account, id);
  const [now, step] = [Date.now(), 1000 / rate];
  const next = now + step;
  const first = { arrival: next, ttl: ttlFor(next) };
  const { refused } = await writeUpdate(
    webhooks.update(key, first, { if: { arrival: absentOrBelow(now) }, showsItem: true }),
  );
  if (!refused) return now;
  // The arrival time only grows. The condition that refused the first write still fails, so this write needs none.
  const found = refused.item?.arrival as number;
  const more = { arrival: plus(step), ttl: ttlFor(found + step) };
  const { answer } = await writeUpdate(webhooks.update(key, more), { returnsItem: true });
  return Math.max(now, (answer?.arrival as number) - step - toleranceMs);
}
