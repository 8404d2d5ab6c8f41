import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { describeError, log } from '../../log.ts';
import { timed } from '../../metrics.ts';
import type { WebhookEvent } from '../events/event.ts';
import { eventKey } from '../keys.ts';
import type { Attempt, Outcome } from '../sending/attempt.ts';
import { type Sent, sendSigned } from '../sending/sendSigned.ts';
import { payloadOf } from '../subscriptions/payload.ts';
import type { Secrets } from '../subscriptions/secrets.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { claimDelivery } from './claim.ts';
import type { Delivery } from './delivery.ts';
import { ring } from './deliveryQueue.ts';
import { noteAttempt, noteSlow, paceOf, quickMs } from './health.ts';
import { settle } from './settle.ts';

/** A delivery that is due, and all that it takes to make an attempt. */
export interface Due {
  delivery: Delivery;
  subscription: Subscription;
  secrets: Secrets;
}

/**
 * Makes one attempt, unless somebody else is at it, and writes down what came of it.
 * @returns what came of it; undefined when none was made
 */
export async function makeAttempt(
  account: string,
  { delivery, subscription, secrets }: Due,
  reads: GatheredReads,
): Promise<Outcome | undefined> {
  const [claim, bodies] = await Promise.all([
    claimDelivery(delivery),
    readBodies(account, delivery.event_id, reads),
  ]);
  if (!claim) return undefined;
  const payload = payloadOf(subscription, delivery.event_type);
  const { attempt, retryAfter } = await watched(account, subscription, () =>
    sendSigned(subscription.url, { id: delivery.event_id, body: bodies[payload] }, secrets),
  );
  const [settled] = await Promise.all([
    settle(claim, delivery, { attempt, payload, retryAfter }),
    noteAttempt(account, subscription, attempt).catch((error) =>
      log.warn('the health of a subscription was not noted', { error: describeError(error) }),
    ),
  ]);
  if (!settled) return attempt.outcome;
  tell(account, subscription, settled.delivery, attempt);
  if (settled.delaySeconds !== undefined)
    await ring([
      {
        bell: { account, subscription_id: subscription.id, delivery_id: delivery.id },
        lane: paceOf(attempt) === 'quick' ? 'main' : 'slow',
        delaySeconds: settled.delaySeconds,
      },
    ]);
  return attempt.outcome;
}

async function readBodies(
  account: string,
  id: string,
  reads: GatheredReads,
): Promise<WebhookEvent['bodies']> {
  const [event] = await reads.read(eventKey(account, id));
  if (!event) throw new Error(`The event ${id} of a delivery is gone`);
  return event.bodies as WebhookEvent['bodies'];
}

/** Tells at once, and not only at the end, that a receiver lets us wait. */
async function watched(
  account: string,
  subscription: Subscription,
  work: () => Promise<Sent>,
): Promise<Sent> {
  if (subscription.pace !== 'quick') return work();
  let noted: Promise<void> | undefined;
  const timer = setTimeout(() => {
    noted = noteSlow(account, subscription).catch(() => {});
  }, quickMs);
  const sent = await work();
  clearTimeout(timer);
  await noted;
  return sent;
}

/** Nothing of what was sent or answered, and of the address only the host: whoever is bothered there can be told by whom. */
function tell(
  account: string,
  { host }: Subscription,
  delivery: Delivery,
  { outcome, http_status, duration_ms }: Attempt,
): void {
  const { id, event_id, event_type, subscription_id, attempt_count, status } = delivery;
  log.info('attempt', {
    account,
    subscription_id,
    delivery_id: id,
    event_id,
    event_type,
    host,
    attempt: attempt_count,
    http_status,
    status,
    ...timed(outcome, duration_ms),
  });
}
