import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { describeError, log } from '../../log.ts';
import { timed } from '../../metrics.ts';
import { type DeliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Attempt, Outcome } from '../model/attempt.ts';
import type { Delivery } from '../model/delivery.ts';
import type { WebhookEvent } from '../model/event.ts';
import { eventKey } from '../model/keys.ts';
import { payloadOf } from '../model/payload.ts';
import type { Secrets } from '../model/secrets.ts';
import type { Subscription } from '../model/subscription.ts';
import { noteRate } from '../pace/feedback.ts';
import { countSlow, noteAttempt, quickMs, speedOf } from '../receivers/health.ts';
import { type SendResult, sendSigned } from '../sending/sendSigned.ts';
import { claimDelivery } from './claim.ts';
import { recordAttempt } from './recordAttempt.ts';

/** A delivery that is due, and all that an attempt needs. */
export interface DueDelivery {
  delivery: Delivery;
  subscription: Subscription;
  secrets: Secrets;
  /** Whether the delivery is held, and tries whether its receiver works again. */
  isProbe?: boolean;
}

/**
 * Makes one attempt, unless another one is under way, and records it.
 * @returns the outcome; undefined when no attempt was made
 */
export async function makeAttempt(
  account: string,
  { delivery, subscription, secrets, isProbe = false }: DueDelivery,
  reads: GatheredReads,
): Promise<Outcome | undefined> {
  const message: DeliveryMessage = {
    kind: 'delivery',
    account,
    subscription_id: subscription.id,
    delivery_id: delivery.id,
  };
  const [{ claim, claimedUntil }, bodies] = await Promise.all([
    claimDelivery(delivery),
    readBodies(account, delivery.event_id, reads),
  ]);
  if (!claim) {
    if (claimedUntil !== undefined) await comeBack(message, new Date(claimedUntil));
    return undefined;
  }
  const payload = payloadOf(subscription, delivery.event_type);
  const { attempt, retryAfter } = await notingSlowness(account, subscription, () =>
    sendSigned(subscription.url, { id: delivery.event_id, body: bodies[payload] }, secrets),
  );
  const [recorded] = await Promise.all([
    recordAttempt(claim, delivery, {
      attempt,
      payload,
      retryAfter,
      isProbe,
      acceptedAt: subscription.last_success_at,
    }),
    ...(subscription.recovering_since === undefined ? [] : [noteRate(account, subscription, attempt)]),
    noteAttempt(account, subscription, attempt).catch((error) =>
      log.warn('the health of a subscription was not noted', { error: describeError(error) }),
    ),
  ]);
  if (!recorded) return attempt.outcome;
  logAttempt(account, subscription, recorded.delivery, attempt);
  if (recorded.delaySeconds !== undefined)
    await enqueue([
      {
        message,
        queue: speedOf(attempt),
        delaySeconds: recorded.delaySeconds,
      },
    ]);
  return attempt.outcome;
}

/** The process with the claim may have died: a message at the end of the claim is earlier than the next sweep. */
async function comeBack(message: DeliveryMessage, end: Date): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((end.getTime() - Date.now()) / 1000));
  await enqueue([{ message, queue: 'slow', delaySeconds }]);
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

/** Counts an attempt as slow as soon as it is, and not only when it has ended. */
async function notingSlowness(
  account: string,
  subscription: Subscription,
  work: () => Promise<SendResult>,
): Promise<SendResult> {
  if (subscription.speed !== 'quick') return work();
  let noted: Promise<void> | undefined;
  const timer = setTimeout(() => {
    noted = countSlow(account, subscription).catch(() => {});
  }, quickMs);
  const sent = await work();
  clearTimeout(timer);
  await noted;
  return sent;
}

/**
 * Logs nothing of what was sent or answered, and of the URL only the host: if the owner of a host complains, it shows which
 * account sends there.
 */
function logAttempt(
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
