import { type Changes, plus, present, unlessThere, within } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transactUntil, write, writeUpdate } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import type { Attempt } from '../model/delivery.ts';
import { isProbed, isProven, type Speed, type Subscription } from '../model/subscription.ts';
import { announce, changeSubscription, recoveryFrom } from '../model/subscriptions.ts';
import { subscriptionKey } from '../model/webhookKeys.ts';
import { resumeSending, startRecovery } from '../queue/messages.ts';
import { nextProbeAt } from './retrySchedule.ts';

/**
 * A receiver that takes longer to respond goes to the slow queue. This limit is short, because a quick receiver that stops responding occupies
 * places of the quick queue until its speed changes.
 */
export const quickMs = 500;

/** A receiver that responds with this status wants no more webhooks. */
const goneStatus = 410;

/** After this time without a failure, the next failure starts a new series. Longer than the schedule ever waits. */
const quietMs = 2 * 24 * 3_600_000;

/** The time of the last success is written at most this often. Otherwise each attempt would cost one more write. */
const successEveryMs = 10_000;

/** Records the outcome of an attempt. It disables a subscription whose receiver is gone, and detects when a receiver goes down or recovers. */
export async function noteAttempt(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
): Promise<void> {
  await noteSpeed(account, subscription, attempt);
  if (attempt.outcome === 'success') return noteAccepted(account, subscription, attempt);
  const noted = await noteFailure(account, subscription, attempt);
  if (attempt.http_status === goneStatus) await disable(account, subscription);
  else if (noted) await noteDown(account, noted);
}

/** Notes that a receiver accepted an event or a test. A test does not affect its speed, because a receiver can recognise it. */
export async function noteAccepted(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
): Promise<void> {
  await noteSuccess(account, subscription, attempt);
  if (isProbed(subscription)) await noteUp(account, subscription);
}

export function speedOf({ duration_ms, http_status }: Attempt): Speed {
  if (http_status === null) return 'silent';
  return duration_ms < quickMs ? 'quick' : 'slow';
}

/** Notes that a receiver works, and its speed if none is known. */
async function noteSuccess(account: string, subscription: Subscription, attempt: Attempt): Promise<void> {
  const { host, receiver } = subscription;
  const { consecutive_failures, failing_since, last_success_at, speed } = receiver;
  const isRecent = last_success_at !== null && Date.now() - Date.parse(last_success_at) < successEveryMs;
  const isKnown =
    consecutive_failures === 0 && !failing_since && speed !== undefined && !isProbed(subscription);
  if (isRecent && isKnown && isProven(subscription)) return;
  await note(account, subscription, {
    consecutive_failures: 0,
    last_success_at: new Date().toISOString(),
    speed: unlessThere(speedOf(attempt)),
    accepted_host: host,
    failing_since: undefined,
  });
}

/** @returns the subscription after it; undefined if it was deleted */
function noteFailure(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
): Promise<Subscription | undefined> {
  const now = new Date().toISOString();
  const { last_failure_at: last } = subscription.receiver;
  const isFirst = last === null || Date.parse(now) - Date.parse(last) > quietMs;
  return note(account, subscription, {
    last_failure_at: now,
    speed: unlessThere(speedOf(attempt)),
    failing_since: isFirst ? now : unlessThere(now),
    consecutive_failures: plus(1),
  });
}

/** A series of attempts begins with an attempt that contradicts the speed. It ends after this many attempts, or when the speed changes. */
const attemptsJudged = 10;
/** A quick receiver becomes slow with more slow attempts than this, over a third. A slow one becomes quick with this many or fewer. */
const slowAllowed = 3;

/** Counts an attempt for the receiver's speed. `countSlow` has already counted an attempt at a quick receiver that was slow. */
async function noteSpeed(account: string, subscription: Subscription, attempt: Attempt): Promise<void> {
  const { speed, speed_attempts } = subscription.receiver;
  const shown = speedOf(attempt);
  const isOpen = speed_attempts !== undefined;
  if (speed === undefined || (speed === shown && !isOpen)) return;
  if (speed !== 'quick' || attempt.duration_ms < quickMs) await count(account, subscription, shown);
}

/** Counts an attempt at a quick receiver that takes long, before its response. A receiver that hangs therefore soon uses the slow queue. */
export const countSlow = (account: string, subscription: Subscription): Promise<void> =>
  count(account, subscription, 'slow');

/** Counts an attempt in the series of its receiver. The series may decide that the next deliveries use the other queue. */
async function count(account: string, subscription: Subscription, shown: Speed): Promise<void> {
  const counted = await note(account, subscription, {
    speed_attempts: plus(1),
    ...(shown === subscription.receiver.speed ? {} : { speed_contradictions: plus(1) }),
  });
  const { speed, speed_attempts = 0, speed_contradictions: others = 0 } = counted?.receiver ?? {};
  const needed = speed === 'quick' ? slowAllowed + 1 : attemptsJudged - slowAllowed;
  const changes = shown !== speed && others >= needed ? { speed: shown } : {};
  if ('speed' in changes || speed_attempts >= attemptsJudged)
    await note(account, subscription, {
      speed_attempts: undefined,
      speed_contradictions: undefined,
      ...changes,
    });
}

/** Updates the health of a receiver, if the subscription exists and still has the URL of the attempt. */
async function note(
  account: string,
  { id, url }: Subscription,
  changes: Changes,
): Promise<Subscription | undefined> {
  const update = webhooks.update(subscriptionKey(account, id), within('receiver', changes), { if: { url } });
  return (await writeUpdate<Subscription>(update, { returnsItem: true })).answer;
}

/** Disables only the version of the attempt. If the account has changed the subscription since, it wants another attempt. */
async function disable(account: string, subscription: Subscription) {
  const status_reason = 'gone';
  const { action } = changeSubscription(account, subscription, { status: 'disabled', status_reason });
  if ((await write(action)).committed)
    log.warn('a webhook subscription was disabled', {
      account,
      subscription: subscription.id,
      status_reason,
    });
}

/** A receiver is down after this many failures in a row, the first at least this long ago. A single bad delivery is not enough. */
const failuresMin = 10;
const failingMs = 30_000;

/**
 * Notes that a receiver is down, if its failures show it. Its deliveries are then held, and the recovery probes the receiver with one of them
 * from time to time. @param subscription its state after the last failure
 */
async function noteDown(account: string, subscription: Subscription): Promise<void> {
  const { id, host, version, status, outage, enqueue_at } = subscription;
  const { failing_since, consecutive_failures } = subscription.receiver;
  const now = Date.now();
  const isDown =
    consecutive_failures >= failuresMin &&
    failing_since !== undefined &&
    now - Date.parse(failing_since) >= failingMs;
  if (status !== 'active' || outage || !isDown) return;
  const first = nextProbeAt(0, now);
  // Without held deliveries, the first one that is held becomes the probe.
  const isHeld = enqueue_at !== undefined;
  const changes = {
    outage: { since: new Date(now).toISOString(), probes: 1, next_probe_at: first },
    ...(isHeld ? { enqueue_at: first } : {}),
  };
  const { committed } = await write(
    webhooks.update(subscriptionKey(account, id), changes, {
      if: { version, outage, ...(isHeld ? { due_partition: present } : {}) },
    }),
  );
  if (!committed) return;
  log.info('a receiver is down', { account, subscription: id, host });
  if (isHeld) await startRecovery(account, id, Math.floor((Date.parse(first) - now) / 1000));
}

const tooManyRequests = 429;
const firstServerError = 500;

/** Returns whether the receiver is the cause of a failure: it is overloaded or unreachable. Other statuses are about the delivery. */
export const isOverload = ({ http_status }: Pick<Attempt, 'http_status'>): boolean =>
  http_status === null || http_status === tooManyRequests || http_status >= firstServerError;

/** How long conflicts are retried. New events constantly update the subscription's item, because they lengthen the log. */
const conflictsMs = 3000;

/** Suspends a subscription whose receiver was down for days. The receiver is still probed. */
export async function suspend(account: string, subscription: Subscription): Promise<void> {
  const { next, action } = changeSubscription(account, subscription, {
    status: 'suspended',
    status_reason: 'failing',
  });
  // If the subscription has changed since it was read, the change takes precedence.
  const { committed } = await transactUntil(Date.now() + conflictsMs, [
    action,
    announce(account, 'subscription.suspended', subscription, next),
  ]);
  if (committed)
    log.warn('a webhook subscription was suspended', {
      account,
      subscription: subscription.id,
      host: subscription.host,
      ...counts('subscriptions_suspended'),
    });
}

/** Notes that a receiver that was down accepts deliveries, so the recovery sends the held ones. @param subscription its state before that */
async function noteUp(account: string, subscription: Subscription): Promise<void> {
  const { id, status, host, outage } = subscription;
  if (status === 'suspended') {
    const active = {
      status: 'active',
      status_reason: null,
      receiver: { consecutive_failures: 0, accepted_host: host },
    } as const;
    const { next, action } = changeSubscription(account, subscription, active);
    const { committed } = await transactUntil(Date.now() + conflictsMs, [
      action,
      announce(account, 'subscription.resumed', subscription, next),
    ]);
    if (!committed) return;
    log.info('a webhook subscription is active again', {
      account,
      subscription: id,
      ...counts('subscriptions_resumed'),
    });
  } else {
    // The version stays the same, because the health of a receiver is not a setting.
    const { changes, conditions } = recoveryFrom(subscription, new Date().toISOString());
    const update = webhooks.update(
      subscriptionKey(account, id),
      { outage: undefined, ...changes },
      { if: { 'outage.since': outage?.since, ...conditions } },
    );
    if (!(await write(update)).committed) return;
    log.info('a receiver is up again', { account, subscription: id, host });
  }
  await resumeSending(account, id);
}
