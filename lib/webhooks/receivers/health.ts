import { type Changes, plus, unlessThere } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write, writeUpdate } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import type { Attempt } from '../model/delivery.ts';
import { subscriptionKey } from '../model/keys.ts';
import { isProbed, isProven, type Speed, type Subscription } from '../model/subscription.ts';
import { changeSubscription } from '../model/subscriptions.ts';
import { noteDown, noteUp } from './down.ts';

/**
 * A receiver that takes longer to answer goes to the slow queue. Short, because a quick receiver that stops answering
 * occupies places of the quick queue until that is noted.
 */
export const quickMs = 500;

/** A receiver that answers this wants no more webhooks. */
const goneStatus = 410;

/** A failure after this time without another one is the first of a new series. Longer than the schedule ever waits. */
const quietMs = 2 * 24 * 3_600_000;

/** How often the time of the last success is written, at most: otherwise each attempt would cost one write more. */
const successEveryMs = 10_000;

/** Notes the outcome of an attempt: disables a subscription whose receiver is gone, and sees when a receiver goes down and is up again. */
export async function noteAttempt(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
): Promise<void> {
  await noteSpeed(account, subscription, attempt);
  if (attempt.outcome === 'success') return noteAccepted(account, subscription, attempt);
  const noted = await noteFailure(account, subscription, attempt, new Date());
  if (attempt.http_status === goneStatus) await disable(account, subscription);
  else if (noted) await noteDown(account, noted);
}

/** Notes that a receiver has accepted an event, or a test. A test does not judge its speed: a receiver can tell it from an event. */
export async function noteAccepted(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
): Promise<void> {
  await noteSuccess(account, subscription, attempt);
  return noteUp(account, subscription);
}

/** What an attempt shows. */
export function speedOf({ duration_ms, http_status }: Attempt): Speed {
  if (http_status === null) return 'silent';
  return duration_ms < quickMs ? 'quick' : 'slow';
}

/** Notes that a receiver works, and its speed if none is known. */
async function noteSuccess(account: string, subscription: Subscription, attempt: Attempt): Promise<void> {
  const { consecutive_failures, failing_since, last_success_at, speed, host } = subscription;
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

/** @returns the subscription after it; undefined when it was deleted */
async function noteFailure(
  account: string,
  subscription: Subscription,
  attempt: Attempt,
  now: Date,
): Promise<Subscription | undefined> {
  const { last_failure_at: last } = subscription;
  const isFirst = last === null || now.getTime() - Date.parse(last) > quietMs;
  return note(account, subscription, {
    last_failure_at: now.toISOString(),
    speed: unlessThere(speedOf(attempt)),
    failing_since: isFirst ? now.toISOString() : unlessThere(now.toISOString()),
    consecutive_failures: plus(1),
  });
}

/** A series of attempts begins with one that contradicts the speed, and ends after this many or when the speed changes. */
const attemptsJudged = 10;
/** More slow attempts than these make a quick receiver slow: more than a third. A slow one becomes quick with as few. */
const slowAllowed = 3;

/** What an attempt says about the speed of its receiver. `countSlow` has counted one that was slow, before its answer came. */
async function noteSpeed(account: string, subscription: Subscription, attempt: Attempt): Promise<void> {
  const { speed, speed_attempts } = subscription;
  const shown = speedOf(attempt);
  const isOpen = speed_attempts !== undefined;
  if (speed === undefined || (speed === shown && !isOpen)) return;
  if (speed !== 'quick' || attempt.duration_ms < quickMs) await count(account, subscription, shown);
}

/** Counts an attempt at a quick receiver that takes long, before its answer has come: a receiver that hangs soon uses the slow queue. */
export const countSlow = (account: string, subscription: Subscription): Promise<void> =>
  count(account, subscription, 'slow');

/** Counts an attempt in the series of its receiver. The series may decide that the next deliveries use the other queue. */
async function count(account: string, subscription: Subscription, shown: Speed): Promise<void> {
  const counted = await note(account, subscription, {
    speed_attempts: plus(1),
    ...(shown === subscription.speed ? {} : { speed_contradictions: plus(1) }),
  });
  const { speed, speed_attempts = 0, speed_contradictions: others = 0 } = counted ?? {};
  const needed = speed === 'quick' ? slowAllowed + 1 : attemptsJudged - slowAllowed;
  if (shown !== speed && others >= needed) await note(account, subscription, { ...seriesEnds, speed: shown });
  else if (speed_attempts >= attemptsJudged) await note(account, subscription, seriesEnds);
}

const seriesEnds = { speed_attempts: undefined, speed_contradictions: undefined };

/** Writes only while the subscription exists and has the URL that was tried. */
async function note(
  account: string,
  { id, url }: Subscription,
  changes: Changes,
): Promise<Subscription | undefined> {
  const update = webhooks.update(subscriptionKey(account, id), changes, { if: { url } });
  return (await writeUpdate<Subscription>(update, { returnsItem: true })).answer;
}

/** Disables only the version that was tried: an owner who has changed it since wants it to be tried again. */
async function disable(account: string, subscription: Subscription) {
  const status_reason = 'gone';
  const { action } = changeSubscription(account, subscription, {
    status: 'disabled',
    status_reason,
  });
  if ((await write(action)).committed)
    log.warn('a webhook subscription was disabled', {
      account,
      subscription: subscription.id,
      status_reason,
    });
}
