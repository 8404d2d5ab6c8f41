import { anyDueShard, restOf } from '../keys.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Delivery } from './delivery.ts';
import { delayMaxSeconds } from './deliveryQueue.ts';

/** After so long without an attempt the sweep rings again: the message was lost, or who had it died. */
const answeredMs = 30_000;

/** When to ring again for what has just been rung for, RFC 3339 UTC. */
export const ringAgainAt = (now: Date): string => new Date(now.getTime() + answeredMs).toISOString();

/** How a delivery waits for a time, and after how many seconds to ring for it; undefined when the sweep will. In epoch milliseconds. */
export function waitUntil(
  time: number,
  now: number,
): Required<Pick<Delivery, 'next_attempt_at' | 'waiting' | 'ring_at'>> & {
  delaySeconds: number | undefined;
} {
  const at = new Date(time);
  const delaySeconds = Math.ceil((time - now) / 1000);
  const soon = delaySeconds <= delayMaxSeconds;
  return {
    next_attempt_at: at.toISOString(),
    waiting: anyDueShard(),
    // What is soon the queue holds back itself, and the sweep is there for when the message gets lost.
    ring_at: soon ? ringAgainAt(at) : at.toISOString(),
    delaySeconds: soon ? delaySeconds : undefined,
  };
}

/** How a delivery starts: it is due now, or rests when its subscription is not active. */
export const startOf = (
  account: string,
  { id, status }: Pick<Subscription, 'id' | 'status'>,
  now: Date,
): Pick<Delivery, 'next_attempt_at' | 'waiting' | 'ring_at'> =>
  status === 'active'
    ? { next_attempt_at: now.toISOString(), waiting: anyDueShard(), ring_at: ringAgainAt(now) }
    : { next_attempt_at: undefined, waiting: restOf(account, id), ring_at: now.toISOString() };
