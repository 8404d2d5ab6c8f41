import type { Delivery } from '../model/delivery.ts';
import { anyDueShard, heldPartition } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { delayMaxSeconds } from './queue.ts';

/** How long the sweep waits for an attempt after a message: then the message was lost, or the function died with it. */
const lostAfterMs = 30_000;

/** When the sweep sends another message for a delivery whose message can be received at a time, RFC 3339 UTC. */
export const enqueueAgainAt = (time: Date): string => new Date(time.getTime() + lostAfterMs).toISOString();

/**
 * The due times of a delivery whose next attempt is at a time.
 * @param time epoch milliseconds, as `now` is
 * @returns its attributes, and the delay of its message; undefined when only the sweep sends one
 */
export function dueAt(
  time: number,
  now: number,
): Required<Pick<Delivery, 'next_attempt_at' | 'due_partition' | 'enqueue_at'>> & {
  delaySeconds: number | undefined;
} {
  const at = new Date(time);
  const delaySeconds = Math.ceil((time - now) / 1000);
  const isSoon = delaySeconds <= delayMaxSeconds;
  return {
    next_attempt_at: at.toISOString(),
    due_partition: anyDueShard(),
    // If it is soon, SQS delays the message itself, and the sweep only replaces a lost one.
    enqueue_at: isSoon ? enqueueAgainAt(at) : at.toISOString(),
    delaySeconds: isSoon ? delaySeconds : undefined,
  };
}

/** The due times of a new delivery: it is due now, or held when its subscription is not active. */
export const firstDue = (
  account: string,
  { id, status }: Pick<Subscription, 'id' | 'status'>,
  now: Date,
): Pick<Delivery, 'next_attempt_at' | 'due_partition' | 'enqueue_at'> =>
  status === 'active'
    ? { next_attempt_at: now.toISOString(), due_partition: anyDueShard(), enqueue_at: enqueueAgainAt(now) }
    : {
        next_attempt_at: undefined,
        due_partition: heldPartition(account, id),
        enqueue_at: now.toISOString(),
      };
