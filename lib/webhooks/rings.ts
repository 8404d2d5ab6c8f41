import type { Delivery } from './delivery.ts';
import { anyDueShard, restOf } from './keys.ts';
import type { Subscription } from './subscription.ts';

/** After so long without an attempt the sweep rings again: the message was lost, or who had it died. */
const answeredMs = 30_000;

/** When to ring again for what has just been rung for, RFC 3339 UTC. */
export const ringAgainAt = (now: Date): string => new Date(now.getTime() + answeredMs).toISOString();

/** How a delivery starts: it is due now, or rests when its subscription is not active. */
export const startOf = (
  account: string,
  { id, status }: Pick<Subscription, 'id' | 'status'>,
  now: Date,
): Pick<Delivery, 'next_attempt_at' | 'waiting' | 'ring_at'> =>
  status === 'active'
    ? { next_attempt_at: now.toISOString(), waiting: anyDueShard(), ring_at: ringAgainAt(now) }
    : { next_attempt_at: undefined, waiting: restOf(account, id), ring_at: now.toISOString() };
