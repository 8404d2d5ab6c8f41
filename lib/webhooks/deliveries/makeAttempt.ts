import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { write } from '../../dynamodb/transact.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import { timed } from '../../logs/metrics.ts';
import { deliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Attempt, Outcome } from '../model/attempt.ts';
import type { Delivery } from '../model/delivery.ts';
import { eventKey, ownerOf } from '../model/keys.ts';
import { type Payload, payloadOf } from '../model/payload.ts';
import type { Secrets } from '../model/secrets.ts';
import type { StoredEvent } from '../model/storedEvent.ts';
import type { Subscription } from '../model/subscription.ts';
import { noteRate } from '../pace/feedback.ts';
import { countSlow, noteAttempt, quickMs, speedOf } from '../receivers/health.ts';
import { sendSigned } from '../sending/sendSigned.ts';
import { type CompletedAttempt, recordAttempt } from './recordAttempt.ts';
import { claimed } from './transitions.ts';

/** A delivery that is due, and all that an attempt needs. */
export interface DueDelivery {
  delivery: Delivery;
  subscription: Subscription;
  secrets: Secrets;
  /** Whether the delivery is held, and tries whether its receiver works again. */
  isProbe?: boolean;
}

/**
 * Makes one attempt, unless another one is under way: prepares it, sends the request, and records what has come of it.
 * @returns the outcome; undefined when no attempt was made
 */
export async function makeAttempt(due: DueDelivery, reads: GatheredReads): Promise<Outcome | undefined> {
  const prepared = await prepare(due, reads);
  if (prepared.stage === 'overtaken') return undefined;
  if (prepared.stage === 'under way') return void (await comeBack(due.delivery, prepared.until));
  const completed = await request(due, prepared);
  await record(due, prepared, completed);
  return completed.attempt.outcome;
}

/** An attempt that may begin: its claim, and what it sends. */
interface Prepared {
  stage: 'prepared';
  claim: string;
  payload: Payload;
  body: string;
}

/** Why an attempt may not begin: another one is under way until then, or was made since the delivery was read. */
type NotPrepared = { stage: 'under way'; until: string } | { stage: 'overtaken' };

/** Longer than an attempt takes, with the reads before it and the writes after it. */
const claimMs = 25_000;

/** Claims a delivery for one attempt, because a message that is received twice must not make two at a time, and reads its event. */
async function prepare(
  { delivery, subscription }: DueDelivery,
  reads: GatheredReads,
): Promise<Prepared | NotPrepared> {
  const now = Date.now();
  const claim = randomId('clm');
  const until = new Date(now + claimMs).toISOString();
  const [{ refused }, [event]] = await Promise.all([
    write(claimed(delivery, claim, until, now)),
    reads.read(eventKey(ownerOf(delivery.pk).account, delivery.event_id)),
  ]);
  if (!event) throw new Error(`The event ${delivery.event_id} of a delivery is gone`);
  // If the answer to the first call was lost, its repetition finds what the first call wrote.
  if (refused && refused.item?.claim !== claim) {
    const other = refused.item?.claimed_until as string | undefined;
    return other === undefined ? { stage: 'overtaken' } : { stage: 'under way', until: other };
  }
  const payload = payloadOf(subscription, delivery.event_type);
  return { stage: 'prepared', claim, payload, body: (event.bodies as StoredEvent['bodies'])[payload] };
}

/** The process with the claim may have died: a message at the end of the claim is earlier than the next sweep. */
async function comeBack(delivery: Delivery, end: string): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((Date.parse(end) - Date.now()) / 1000));
  await enqueue([{ message: deliveryMessage(delivery), queue: 'slow', delaySeconds }]);
}

/** Sends it. An attempt at a quick receiver counts as slow as soon as it is, and not only when it has ended. */
async function request(
  { delivery, subscription, secrets, isProbe = false }: DueDelivery,
  { payload, body }: Prepared,
): Promise<CompletedAttempt> {
  let noted: Promise<void> | undefined;
  const noteSlow = () => {
    noted = countSlow(ownerOf(delivery.pk).account, subscription).catch(() => {});
  };
  const timer = subscription.speed === 'quick' ? setTimeout(noteSlow, quickMs) : undefined;
  const sent = await sendSigned(subscription.url, { id: delivery.event_id, body }, secrets);
  clearTimeout(timer);
  await noted;
  return { ...sent, payload, isProbe, acceptedAt: subscription.last_success_at };
}

/** Records it in the delivery, in the health of the receiver and in the rate of its drain. */
async function record(
  { delivery, subscription }: DueDelivery,
  { claim }: Prepared,
  completed: CompletedAttempt,
): Promise<void> {
  const { account } = ownerOf(delivery.pk);
  const { attempt } = completed;
  const [recorded] = await Promise.all([
    recordAttempt(claim, delivery, completed),
    ...(subscription.recovering_since === undefined ? [] : [noteRate(account, subscription, attempt)]),
    noteAttempt(account, subscription, attempt).catch((error) =>
      log.warn('the health of a subscription was not noted', { error: describeError(error) }),
    ),
  ]);
  if (!recorded) return;
  logAttempt(account, subscription, recorded.delivery, attempt);
  const { delaySeconds } = recorded;
  if (delaySeconds !== undefined)
    await enqueue([{ message: deliveryMessage(delivery), queue: speedOf(attempt), delaySeconds }]);
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
    ...timed(outcome, duration_ms, outcome === 'success' ? 'attempts_succeeded' : 'attempts_failed'),
  });
}
