import { untilCommitted } from '../../dynamodb/conflicts.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { type Action, transact, write } from '../../dynamodb/transact.ts';
import { type Delivery, isForAnotherHost } from '../model/delivery.ts';
import { deliveryKeyOf, secretsKey, subscriptionKey, suspensionKey } from '../model/keys.ts';
import type { Secrets } from '../model/secrets.ts';
import { isProbed, isSent, type Speed, type Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/subscriptions.ts';
import { dueAt } from '../queue/due.ts';
import { type DeliveryMessage, type DeliveryQueue, deliveryMessage, enqueue } from '../queue/messages.ts';
import { comeBack, type DueDelivery, makeAttempt } from './attempt.ts';
import { hasSlot, reserveSlot } from './pace.ts';
import { ended, isUnderWay, rested, waiting } from './transitions.ts';

/** How long a message is tried again while its subscription changes. A timeout of the function would fail the whole batch. */
const limitMs = 5000;

/** What a message of a delivery has found. */
interface Found {
  delivery: Delivery;
  subscription: Subscription | undefined;
  secrets: Secrets | undefined;
  /** Whether its account is suspended. */
  suspended: boolean;
}

/**
 * What has to be done now. wait: until its attempt is due, or until another attempt is over. rest: until its subscription is sent events.
 * requeue: its receiver is not known to be quick. attempt: with what it needs.
 */
type Decision =
  | { what: 'nothing' | 'cancel' | 'fail for other host' }
  | { what: 'wait'; until: string }
  | { what: 'rest' | 'requeue'; subscription: Subscription }
  | ({ what: 'attempt' } & Pick<DueDelivery, 'subscription' | 'secrets' | 'isProbe'>);

function decide(
  { delivery, subscription, secrets, suspended }: Found,
  { probe }: DeliveryMessage,
  queue: DeliveryQueue,
): Decision {
  const now = Date.now();
  const { phase } = delivery;
  if (phase.at === 'ended') return { what: 'nothing' };
  if (phase.at === 'claimed' && isUnderWay(delivery, now)) return { what: 'wait', until: phase.until };
  if (!subscription || !secrets) return { what: 'cancel' };
  if (isForAnotherHost(subscription, delivery)) return { what: 'fail for other host' };
  // Only what rests is a probe: after a failure it rests again, where the recovery still finds it.
  const rests = delivery.due_partition === undefined;
  const isProbe = probe === true && rests && isProbed(subscription);
  if (suspended || !(isSent(subscription) || isProbe))
    return rests ? { what: 'nothing' } : { what: 'rest', subscription };
  if (phase.at === 'waiting' && Date.parse(phase.due) > now) return { what: 'wait', until: phase.due };
  if (queue === 'quick' && subscription.speed !== 'quick') return { what: 'requeue', subscription };
  return { what: 'attempt', subscription, secrets, isProbe };
}

/**
 * Handles a delivery message. One that is received twice, or that is out of date, does no harm.
 * @param queue the queue that the message was received from
 * @param reads those of its invocation
 */
export async function deliver(
  message: DeliveryMessage,
  queue: DeliveryQueue,
  reads: GatheredReads,
): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    const readAt = Date.now();
    const found = await read(message, reads);
    return found ? act(message, found, readAt, queue, reads) : {};
  });
}

/** @returns undefined when what was read has changed since: then the message is handled again from the start */
async function act(
  message: DeliveryMessage,
  found: Found,
  readAt: number,
  queue: DeliveryQueue,
  reads: GatheredReads,
): Promise<object | undefined> {
  const { account } = message;
  const { delivery, suspended } = found;
  const decision = decide(found, message, queue);
  const same: Speed = queue === 'slow' && found.subscription?.speed === 'silent' ? 'silent' : queue;
  switch (decision.what) {
    case 'nothing':
      return {};
    case 'cancel':
      return commit([ended(delivery, { how: 'cancelled' })]);
    case 'fail for other host':
      return commit([ended(delivery, { how: 'failed', why: 'other_host' })]);
    case 'rest':
      return commit(rested(account, decision.subscription, suspended, delivery, Date.now()));
    case 'wait':
      return delivery.phase.at === 'claimed'
        ? comeBack(delivery, decision.until)
        : enqueueFor(delivery, decision.until, same);
    case 'requeue':
      await enqueue([{ message, queue: decision.subscription.speed ?? 'slow' }]);
      return {};
    case 'attempt': {
      const { subscription, secrets, isProbe } = decision;
      const rate = subscription.max_per_second ?? undefined;
      if (rate !== undefined && !hasSlot(delivery, Date.now())) {
        const startAt = await reserveSlot(account, subscription.id, rate);
        if (startAt > Date.now()) return waitForSlot(delivery, startAt, same);
      }
      return makeAttempt({ account, readAt, delivery, subscription, secrets, isProbe }, reads);
    }
  }
}

const commit = async ([first, ...others]: [Action, ...Action[]]): Promise<object | undefined> =>
  (await (others.length > 0 ? transact([first, ...others]) : write(first))).committed ? {} : undefined;

/** Sends the message for a time. For later times the sweep sends it: SQS cannot delay one for long. */
async function enqueueFor(delivery: Delivery, time: string, queue: Speed): Promise<object> {
  const { delaySeconds } = dueAt(time, Date.now());
  if (delaySeconds !== undefined)
    await enqueue([{ message: deliveryMessage(delivery), queue, delaySeconds }]);
  return {};
}

/** Lets a delivery wait for its slot. Nothing waits in a function. */
async function waitForSlot(delivery: Delivery, startAt: number, queue: Speed): Promise<object | undefined> {
  const slots = delivery.phase.at === 'waiting' ? (delivery.phase.slots ?? 0) + 1 : 1;
  const due = new Date(startAt).toISOString();
  const committed = await commit([waiting(delivery, due, Date.now(), slots)]);
  return committed && enqueueFor(delivery, due, queue);
}

/** @returns undefined when there is no such delivery */
async function read(
  { account, subscription_id, delivery_id }: DeliveryMessage,
  reads: GatheredReads,
): Promise<Found | undefined> {
  const key = deliveryKeyOf(account, subscription_id, delivery_id);
  if (!key) return undefined;
  const [subscription, secrets, suspension, delivery] = await reads.read(
    subscriptionKey(account, subscription_id),
    secretsKey(account, subscription_id),
    suspensionKey(account),
    key,
  );
  if (delivery?.id !== delivery_id) return undefined;
  return {
    delivery: delivery as unknown as Delivery,
    subscription: subscription as Subscription | undefined,
    secrets: secrets as Secrets | undefined,
    suspended: isSuspended(suspension),
  };
}
