import { absent, plus, within } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import {
  type Delivery,
  type Ending,
  isUnderWay,
  type LeasedPhase,
  logPositionOf,
  type Phase,
  withoutExcerpts,
} from '../model/delivery.ts';
import { expiryOfLogged, type Subscription } from '../model/subscription.ts';
import { whileSuspended } from '../model/subscriptions.ts';
import { subscriptionKey } from '../model/webhookKeys.ts';
import { dueAt, recoveryDue, recoveryDueAt } from '../queue/messages.ts';

// All changes of a delivery's phase: the phases from which each change starts, and the phase that it leads to. No other file writes deliveries,
// except the sweep, which records its messages.

const notDue = { next_attempt_at: undefined, due_partition: undefined, enqueue_at: undefined };

/** A lease changes the delivery's due-index entry only if the entry is later by more than this. A change costs two writes. */
const laterMs = 60_000;

/** Returns the write that moves a delivery to another phase, unless its phase has changed since it was read. A refusal returns the item. */
function become(delivery: Delivery, phase: Phase, changes: object, conditions: object = {}): Action {
  const { pk, sk, phase_number } = delivery;
  return webhooks.update(
    { pk, sk },
    { phase, phase_number: phase_number + 1, ...changes },
    { if: { phase_number, ...conditions }, showsItem: true },
  );
}

/** new → rest, or waiting. */
export function created(delivery: Omit<Delivery, 'phase_number'>, now: Date): Action {
  const due = delivery.phase.at === 'waiting' ? dueAt(delivery.phase.due, now.getTime()).keys : {};
  return webhooks.put(
    { ...delivery, phase_number: 1, ...due, ttl: expiryOfLogged(now) },
    { if: { pk: absent } },
  );
}

/**
 * held, waiting, or an expired lease → leased. If the function dies with the lease, the sweep or the recovery later sends a message.
 * @returns the delivery after it, and the write
 */
export function leased(
  delivery: Delivery,
  { lease, until, isProbe }: { lease: string; until: string; isProbe: boolean },
): { next: Delivery; action: Action } {
  const { phase: before, phase_number, enqueue_at } = delivery;
  const isLate = enqueue_at !== undefined && Date.parse(enqueue_at) > Date.parse(until) + laterMs;
  const probe = isProbe ? { probe: true as const } : {};
  const phase: Phase = { at: 'leased', lease, until, tries: triesIn(before), ...probe };
  return {
    next: { ...delivery, phase, phase_number: phase_number + 1 },
    action: become(delivery, phase, isLate ? { enqueue_at: until } : {}),
  };
}

const triesIn = (phase: Phase): number => (phase.at === 'ended' ? 0 : phase.tries);

/** held, waiting, or an expired lease → waiting. @param slots the number of rate-limit slots reserved for the attempt */
export function waiting(delivery: Delivery, due: string, now: number, slots = 0): Action {
  const phase: Phase = {
    at: 'waiting',
    due,
    tries: triesIn(delivery.phase),
    ...(slots > 0 ? { slots } : {}),
  };
  return become(delivery, phase, dueAt(due, now, slots > 0).keys);
}

/**
 * waiting, or an expired lease → rest: its subscription is not sent events, and the commit checks that it still is not. The recovery will find
 * the delivery, because a recovery step that saw it waiting cannot commit.
 * @returns the actions of one transaction
 */
export function rested(
  account: string,
  subscription: Subscription,
  isAccountSuspended: boolean,
  delivery: Delivery,
  now: number,
): [Action, ...Action[]] {
  const due = recoveryDueAt(subscription, isAccountSuspended, now);
  return [
    become(delivery, { at: 'held', tries: triesIn(delivery.phase) }, notDue),
    restsAgain(account, subscription, logPositionOf(delivery), due),
    ...(isAccountSuspended ? [whileSuspended(account)] : []),
  ];
}

/** Returns the write that makes a subscription's recovery find a held delivery, if the subscription's state is unchanged. */
function restsAgain(account: string, subscription: Subscription, position: number, due: number): Action {
  const { id, version, outage, recovery, enqueue_at } = subscription;
  // If no recovery is due, or the position is before `recovery.next`, nothing before this position is held.
  const isFirst = enqueue_at === undefined || position < recovery.next;
  return webhooks.update(
    subscriptionKey(account, id),
    {
      ...recoveryDue(due),
      ...within('recovery', { steps: plus(1), ...(isFirst ? { next: position, from: position } : {}) }),
    },
    {
      if: {
        version,
        'outage.since': outage?.since,
        'recovery.next': recovery.next,
        ...(enqueue_at === undefined ? { enqueue_at } : {}),
      },
    },
  );
}

/** any → ended. */
export const ended = (delivery: Delivery, ending: Ending): Action =>
  become(delivery, { at: 'ended', ...ending }, notDue);

/**
 * leased → ended, waiting or held, with the attempt. It commits only while the lease is held, and if no other redelivery and no redaction
 * happened after the delivery was read.
 */
export function attempted(
  read: Delivery,
  next: Phase,
  { attempts, attempt_count }: Pick<Delivery, 'attempts' | 'attempt_count'>,
  now: number,
): Action {
  const due = next.at === 'waiting' ? dueAt(next.due, now).keys : notDue;
  return become(read, next, { attempts, attempt_count, ...due }, read.redacted ? {} : { redacted: absent });
}

/**
 * any → its event is sent again, at a time or after the attempt in flight.
 * @param due when, RFC 3339 UTC
 * @param redelivery the id of the bulk redelivery that requests it
 * @returns the delivery after it, and the write
 */
export function askedAgain(
  delivery: Delivery,
  due: string,
  now: number,
  redelivery?: string,
): { next: Delivery; action: Action } {
  const { phase } = delivery;
  if (isUnderWay(delivery, now)) {
    const next: Phase = { ...(phase as LeasedPhase), again: true };
    return { next: { ...delivery, phase: next }, action: become(delivery, next, {}) };
  }
  const changes = {
    ...(phase.at === 'ended' ? { resent: true as const } : {}),
    ...(redelivery === undefined ? {} : { redelivery }),
  };
  const next: Phase = { at: 'waiting', due, tries: 0 };
  const action = become(delivery, next, { ...dueAt(due, now).keys, ...changes });
  return { next: { ...delivery, ...changes, phase: next }, action };
}

/** ended → held: its event is sent again once its subscription is sent events. @returns as `leased`, with the actions of one transaction */
export function holdForRedelivery(
  account: string,
  to: Subscription,
  delivery: Delivery,
  now: number,
): { next: Delivery; actions: Action[] } {
  const next: Phase = { at: 'held', tries: 0 };
  return {
    next: { ...delivery, resent: true, phase: next },
    actions: [
      become(delivery, next, { resent: true }),
      restsAgain(account, to, logPositionOf(delivery), recoveryDueAt(to, false, now)),
    ],
  };
}

/** any → without the responses of receivers. A refusal returns the item. */
export const redacted = ({ pk, sk, attempts, attempt_count }: Delivery): Action =>
  webhooks.update(
    { pk, sk },
    { attempts: withoutExcerpts(attempts), redacted: true },
    { if: { attempt_count }, showsItem: true },
  );
