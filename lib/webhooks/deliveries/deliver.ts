import { untilCommitted } from '../../dynamodb/conflicts.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { deliveryKeyOf, secretsKey, subscriptionKey, suspensionKey } from '../keys.ts';
import type { Secrets } from '../subscriptions/secrets.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { type Suspension, whileSuspended } from '../subscriptions/suspension.ts';
import { cancel } from './cancel.ts';
import type { Delivery } from './delivery.ts';
import type { Bell } from './deliveryQueue.ts';
import { delayMaxSeconds, type Lane, ring } from './deliveryQueue.ts';
import type { HostRound } from './hostRound.ts';
import { type Due, makeAttempt } from './makeAttempt.ts';
import { putOff } from './putOff.ts';
import { asRead, rest } from './rest.ts';

/** How long a bell is looked at anew while its subscription changes. Cut off, it would take the others of its batch along. */
const patienceMs = 5000;

/** What the messages of one invocation share. */
export interface Invocation {
  /** The attempts that it makes. */
  round: HostRound;
  /** What it reads of the Webhooks table. */
  reads: GatheredReads;
}

/**
 * Answers a bell: makes an attempt when one is due, and does what else the delivery needs. A bell that rings twice, or for
 * nothing, does no harm.
 * @param lane the queue through which the bell rang
 */
export async function deliver(bell: Bell, lane: Lane, invocation: Invocation): Promise<void> {
  await untilCommitted(Date.now() + patienceMs, async () => {
    const { account } = bell;
    const { delivery, subscription, secrets, suspended } = await read(bell, invocation);
    if (delivery?.status !== 'pending') return { done: true };
    if (!subscription || !secrets) await cancel(delivery);
    else if (subscription.status === 'active' && !suspended)
      await bring({ delivery, subscription, secrets }, bell, lane, invocation);
    else {
      const reason = suspended ? whileSuspended(account) : asRead(account, subscription);
      // Otherwise it has changed just now, so it is looked at anew.
      if (!(await rest(reason, account, subscription, delivery))) return undefined;
    }
    return { done: true };
  });
}

/** Brings a delivery on its way to a receiver that may be sent to. */
async function bring(
  { delivery, subscription, secrets }: Due,
  bell: Bell,
  lane: Lane,
  { round, reads }: Invocation,
): Promise<void> {
  // It rests until the order to wake up is carried out, which gives it the whole schedule.
  if (delivery.next_attempt_at === undefined) return;
  const waitMs = Date.parse(delivery.next_attempt_at) - Date.now();
  if (waitMs > 0) {
    const delaySeconds = Math.ceil(waitMs / 1000);
    // For later the sweep rings. A bell that was passed on until then would go round for a day.
    if (delaySeconds <= delayMaxSeconds) await ring([{ bell, lane, delaySeconds }]);
    return;
  }
  if (lane === 'main' && subscription.pace !== 'quick') {
    await ring([{ bell, lane: 'slow' }]);
    return;
  }
  const isMade = await round.attempt(subscription.url, subscription.consecutive_failures > 0, () =>
    makeAttempt(bell.account, { delivery, subscription, secrets }, reads),
  );
  if (!isMade) await putOff(bell, lane, delivery);
}

async function read(
  { account, subscription_id, delivery_id }: Bell,
  { reads }: Invocation,
): Promise<Partial<Due> & { suspended: boolean }> {
  const key = deliveryKeyOf(account, subscription_id, delivery_id);
  const [subscription, secrets, suspension, delivery] = await reads.read(
    subscriptionKey(account, subscription_id),
    secretsKey(account, subscription_id),
    suspensionKey(account),
    ...(key ? [key] : []),
  );
  return {
    suspended: (suspension as Suspension | undefined)?.suspended_at !== undefined,
    ...(delivery?.id === delivery_id ? { delivery: delivery as unknown as Delivery } : {}),
    ...(subscription ? { subscription: subscription as unknown as Subscription } : {}),
    ...(secrets ? { secrets: secrets as unknown as Secrets } : {}),
  };
}
