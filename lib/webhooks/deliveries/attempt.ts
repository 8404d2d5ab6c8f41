import { attemptsKept } from '../../contract/attempts.ts';
import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { write } from '../../dynamodb/transact.ts';
import { randomId } from '../../ids.ts';
import { describeError, log } from '../../logs/log.ts';
import { probeFailed, timed } from '../../logs/metrics.ts';
import { redactionKey } from '../../records/deletion/redaction.ts';
import {
  type Attempt,
  type Delivery,
  type LeasedPhase,
  logPositionOf,
  type Phase,
  statusOf,
} from '../model/delivery.ts';
import { type Payload, payloadOf } from '../model/payload.ts';
import type { Secrets } from '../model/secrets.ts';
import { firstWaiting, type LogExtent, type Subscription } from '../model/subscription.ts';
import { bodyFor, type StoredEvent } from '../model/webhookEvent.ts';
import { blockedHostKey, eventKey } from '../model/webhookKeys.ts';
import { enqueueFor } from '../queue/messages.ts';
import { tryChange } from '../receivers/blockedHosts.ts';
import { countSlow, isOverload, noteAttempt, quickMs, speedOf } from '../receivers/health.ts';
import { isOver, nextAttemptAt } from '../receivers/retrySchedule.ts';
import { deadlineMs, type SendResult, sendSigned } from '../sending/send.ts';
import { attempted, leased } from './transitions.ts';

export interface DueDelivery {
  account: string;
  /** The time before the reads that found it, in epoch milliseconds. */
  readAt: number;
  delivery: Delivery;
  subscription: Subscription;
  secrets: Secrets;
  /** Whether the attempt probes a receiver that is down. */
  isProbe: boolean;
}

/** `changed`: an item has changed since it was read, so the message is handled again from the start. */
export type StepResult = 'done' | 'changed';

/** How long a lease lasts: longer than an attempt, the reads before it and the writes after it. */
const claimMs = 25_000;

/** The longest that an attempt takes, including the difference between two clocks. */
const attemptMs = deadlineMs + 1000;

/**
 * Makes one attempt: leases the delivery, sends the request, and records the outcome. The lease prevents two concurrent attempts if a message
 * is received twice. The lease begins before the reads, so it limits how old their results can be. For example, somebody may have paused the
 * subscription since then.
 */
export async function makeAttempt(due: DueDelivery, reads: GatheredReads): Promise<StepResult> {
  const { account, readAt, delivery, subscription, isProbe } = due;
  const lease = randomId('lse');
  const until = new Date(readAt + claimMs).toISOString();
  const { next, action } = leased(delivery, { lease, until, isProbe });
  const [{ refused }, [event, redaction, blocked]] = await Promise.all([
    write(action),
    reads.read<[StoredEvent, object, object]>(
      eventKey(account, delivery.event_id),
      redactionKey(account, delivery.resource.id),
      blockedHostKey(subscription.host),
    ),
  ]);
  if (!event) throw new Error(`The event ${delivery.event_id} of a delivery is gone`);
  // If the response to the first call was lost, the SDK's retry finds what the first call wrote.
  if (refused && leaseIn(refused.item) !== lease)
    return comeBack(delivery, new Date(Date.now() + 1000).toISOString());
  // The host was blocked, but the operator's index did not show this subscription yet.
  if (blocked) return (await tryChange('block', account, subscription)) ? 'done' : 'changed';
  // This process has stalled. The attempt could outlast the lease, and the reads are too old.
  if (Date.now() > Date.parse(until) - attemptMs) return comeBack(delivery, until);
  const payload = payloadOf(subscription, delivery.event_type);
  const isHidden = redaction !== undefined || event.redacted === true;
  const sent = await request(due, bodyFor(isHidden ? 'thin' : payload, event.body));
  await record({ ...due, delivery: next }, { ...sent, payload, isHidden });
  return 'done';
}

const leaseIn = (item: Partial<Delivery> | undefined): string | undefined =>
  item?.phase?.at === 'leased' ? item.phase.lease : undefined;

/** Delays a message, because the process that has the lease may have died. */
async function comeBack(delivery: Delivery, until: string): Promise<StepResult> {
  await enqueueFor(delivery, until);
  return 'done';
}

/** Sends the request. If a quick receiver becomes slow, this is recorded during the attempt, not only after it. */
async function request(
  { account, delivery, subscription, secrets }: DueDelivery,
  body: string,
): Promise<SendResult> {
  let noted: Promise<void> | undefined;
  const noteSlow = () => {
    noted = countSlow(account, subscription).catch(() => {});
  };
  const timer = subscription.receiver.speed === 'quick' ? setTimeout(noteSlow, quickMs) : undefined;
  const sent = await sendSigned(subscription.url, { id: delivery.event_id, body }, secrets);
  clearTimeout(timer);
  await noted;
  return sent;
}

export interface CompletedAttempt extends SendResult {
  payload: Payload;
  /** Whether the record was deleted before. If so, the response is not kept, because it may quote earlier content. */
  isHidden: boolean;
}

/** Records an attempt in the leased delivery and in the health of the receiver. */
async function record(due: DueDelivery, completed: CompletedAttempt): Promise<void> {
  const { account, delivery, subscription, isProbe } = due;
  const { attempt } = completed;
  const [after] = await Promise.all([
    recordAttempt(delivery, subscription.logged, completed),
    noteAttempt(account, subscription, attempt).catch((error) =>
      log.warn('the health of a subscription was not noted', { error: describeError(error) }),
    ),
  ]);
  if (!after) return;
  logAttempt(account, subscription, after, attempt);
  if (isProbe && attempt.outcome !== 'success') {
    const { id, outage } = subscription;
    const waitedMs = outage ? Date.now() - Date.parse(outage.since) : 0;
    log.info('a probe failed', { account, subscription: id, ...probeFailed(waitedMs) });
  }
  if (after.phase.at === 'waiting') await enqueueFor(delivery, after.phase.due, speedOf(attempt));
}

/** Retry-After counts only with these statuses. */
const retryAfterStatuses: readonly (number | null)[] = [429, 503];

/**
 * Returns the phase of a leased delivery after an attempt that ended now. After the full schedule, a delivery that the receiver refuses has
 * failed. If the receiver itself may be the cause, for example with a 500, the delivery is tried every day until it is too old.
 * @param isOld whether the delivery has waited for the longest time allowed
 */
export function phaseAfter(
  phase: LeasedPhase,
  { attempt, retryAfter }: Pick<CompletedAttempt, 'attempt' | 'retryAfter'>,
  isOld: boolean,
  now: number,
): Phase {
  const tries = phase.tries + 1;
  // The attempt began before the redelivery was requested.
  if (phase.again) return { at: 'waiting', due: new Date(now).toISOString(), tries: 0 };
  if (attempt.outcome === 'success') return { at: 'ended', how: 'succeeded' };
  if (phase.probe) return { at: 'held', tries: phase.tries };
  if (isOver(tries) && !isOverload(attempt)) return { at: 'ended', how: 'failed', why: 'refused' };
  if (isOver(tries) && isOld) return { at: 'ended', how: 'failed', why: 'expired' };
  const requested = retryAfterStatuses.includes(attempt.http_status) ? retryAfter : undefined;
  return { at: 'waiting', due: new Date(nextAttemptAt(tries, now, requested)).toISOString(), tries };
}

/**
 * Records an attempt that ended now in its delivery.
 * @param leased the delivery as the lease wrote it
 * @returns the delivery after the attempt; undefined if the lease has expired. Another attempt may have begun then, so this one does not count
 */
export async function recordAttempt(
  leased: Delivery,
  logged: LogExtent,
  { payload, isHidden, ...completed }: CompletedAttempt,
): Promise<Delivery | undefined> {
  const isOld = logPositionOf(leased) < firstWaiting(logged);
  const attempt_count = leased.attempt_count + 1;
  for (let known = leased; ; ) {
    const now = Date.now();
    // The record may also have been deleted during the attempt.
    const isQuiet = isHidden || known.redacted === true;
    const attempt = isQuiet ? { ...completed.attempt, response_excerpt: null } : completed.attempt;
    const phase = phaseAfter(known.phase as LeasedPhase, completed, isOld, now);
    const attempts = [...known.attempts, { number: attempt_count, payload, ...attempt }].slice(-attemptsKept);
    const { refused } = await write(attempted(known, phase, { attempts, attempt_count }, now));
    const found = refused?.item as Delivery | undefined;
    // If the response to the first call was lost, the SDK's retry finds what the first call wrote.
    const isWritten = refused?.repeated && found?.attempt_count === attempt_count;
    if (!refused || isWritten) return { ...known, phase, attempts, attempt_count };
    if (!found || leaseIn(found) !== leaseIn(leased)) return undefined;
    known = found;
  }
}

/**
 * Logs an attempt. It logs no content of the request or the response, and only the host of the URL. If the owner of a host complains, the log
 * shows which account sends there.
 */
function logAttempt(
  account: string,
  { host }: Subscription,
  delivery: Delivery,
  { outcome, http_status, duration_ms }: Attempt,
): void {
  const { id, event_id, event_type, subscription_id, attempt_count, phase } = delivery;
  log.info('attempt', {
    account,
    subscription_id,
    delivery_id: id,
    event_id,
    event_type,
    host,
    attempt: attempt_count,
    http_status,
    status: statusOf(phase),
    ...timed(outcome, duration_ms, outcome === 'success' ? 'attempts_succeeded' : 'attempts_failed'),
  });
}
