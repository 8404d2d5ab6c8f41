import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { write } from '../../dynamodb/transact.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import { timed } from '../../logs/metrics.ts';
import { deliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Attempt, Outcome } from '../model/attempt.ts';
import type { Delivery } from '../model/delivery.ts';
import { bodyFor } from '../model/event.ts';
import { blockedHostKey, eventKey } from '../model/keys.ts';
import { type Payload, payloadOf } from '../model/payload.ts';
import type { Secrets } from '../model/secrets.ts';
import type { Subscription } from '../model/subscription.ts';
import { noteRate } from '../pace/feedback.ts';
import { countSlow, noteAttempt, quickMs, speedOf } from '../receivers/health.ts';
import { tryChange } from '../receivers/stop.ts';
import { deadlineMs } from '../sending/send.ts';
import { sendSigned } from '../sending/sendSigned.ts';
import { type CompletedAttempt, recordAttempt } from './recordAttempt.ts';
import { claimed } from './transitions.ts';

/** A delivery that is due, and all that an attempt needs. */
export interface DueDelivery {
  account: string;
  /** Before the reads that found it, in epoch milliseconds. */
  readAt: number;
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
  if (prepared.stage === 'blocked') return void (await block(due));
  // This process has stalled: the attempt could last longer than the claim, and than what was read may count.
  if (Date.now() > Date.parse(prepared.until) - attemptMs) return undefined;
  const completed = await request(due, prepared);
  await record(due, prepared, completed);
  return completed.attempt.outcome;
}

/** An attempt that may begin: its claim, and what it sends. */
interface Prepared {
  stage: 'prepared';
  claim: string;
  /** When the claim ends. */
  until: string;
  payload: Payload;
  body: string;
}

/** Why an attempt may not begin: another one is under way until then, or was made since the delivery was read; or its host is blocked. */
type NotPrepared = { stage: 'under way'; until: string } | { stage: 'overtaken' } | { stage: 'blocked' };

/** Longer than an attempt takes, with the reads before it and the writes after it. */
const claimMs = 25_000;

/** How long an attempt takes at most, and by how much two clocks differ. */
const attemptMs = deadlineMs + 1000;

/**
 * Claims a delivery for one attempt, because a message that is received twice must not make two at a time, and reads its event. The
 * claim counts from before the reads: what they have found, such as that nobody has paused the subscription, counts no longer.
 */
async function prepare(
  { account, readAt, delivery, subscription }: DueDelivery,
  reads: GatheredReads,
): Promise<Prepared | NotPrepared> {
  const now = Date.now();
  const claim = randomId('clm');
  const until = new Date(readAt + claimMs).toISOString();
  const [{ refused }, [event, blocked]] = await Promise.all([
    write(claimed(delivery, claim, until, now)),
    reads.read(eventKey(account, delivery.event_id), blockedHostKey(subscription.host)),
  ]);
  if (!event) throw new Error(`The event ${delivery.event_id} of a delivery is gone`);
  // If the answer to the first call was lost, its repetition finds what the first call wrote.
  if (refused && refused.item?.claim !== claim) {
    const other = refused.item?.claimed_until as string | undefined;
    return other === undefined ? { stage: 'overtaken' } : { stage: 'under way', until: other };
  }
  if (blocked) return { stage: 'blocked' };
  const payload = payloadOf(subscription, delivery.event_type);
  return { stage: 'prepared', claim, until, payload, body: bodyFor(payload, event.body as string) };
}

/** The process with the claim may have died: a message at the end of the claim is earlier than the next sweep. */
async function comeBack(delivery: Delivery, end: string): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((Date.parse(end) - Date.now()) / 1000));
  await enqueue([{ message: deliveryMessage(delivery), queue: 'slow', delaySeconds }]);
}

/** Stops a subscription that the index by which the operator finds subscriptions did not show. Its next message holds the delivery. */
async function block({ account, delivery, subscription, isProbe }: DueDelivery): Promise<void> {
  if (isProbe) return;
  await tryChange('block', account, subscription);
  await enqueue([{ message: deliveryMessage(delivery), queue: 'slow' }]);
}

/** Sends it. An attempt at a quick receiver counts as slow as soon as it is, and not only when it has ended. */
async function request(
  { account, delivery, subscription, secrets, isProbe = false }: DueDelivery,
  { payload, body }: Prepared,
): Promise<CompletedAttempt> {
  let noted: Promise<void> | undefined;
  const noteSlow = () => {
    noted = countSlow(account, subscription).catch(() => {});
  };
  const timer = subscription.speed === 'quick' ? setTimeout(noteSlow, quickMs) : undefined;
  const sent = await sendSigned(subscription.url, { id: delivery.event_id, body }, secrets);
  clearTimeout(timer);
  await noted;
  return { ...sent, payload, isProbe, acceptedAt: subscription.last_success_at };
}

/** Records it in the delivery, in the health of the receiver and in the rate of its drain. */
async function record(
  { account, delivery, subscription }: DueDelivery,
  { claim }: Prepared,
  completed: CompletedAttempt,
): Promise<void> {
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
