import { write } from '../../dynamodb/transact.ts';
import { dueAt } from '../jobs/dueTimes.ts';
import { deliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Speed } from '../model/subscription.ts';
import { delaysSeconds, nextAttemptAt } from './schedule.ts';
import { rescheduled } from './transitions.ts';

// Another time for the next attempt of a delivery, without an attempt.

/** A slot that is longer ago was meant for another time: many attempts that are late together must not begin together. */
const lateMs = 5000;

/** For one attempt. With more, a pipeline that is always late would reserve slots and make no attempt. */
const slotsMax = 2;

/** How long before a later slot its message is sent, because the sweep runs every minute and SQS delays to the second. */
const earlyMs = 10 * 60_000;

/** Whether a due delivery has a slot of its subscription for its next attempt. */
export const hasSlot = ({ slots = 0, next_attempt_at = '' }: Delivery, now: number): boolean =>
  slots >= slotsMax || (slots > 0 && now - Date.parse(next_attempt_at) <= lateMs);

/** The due times of a delivery with a slot. */
export function dueAtSlot(startAt: number, now: number) {
  const due = dueAt(startAt, now);
  return due.delaySeconds === undefined
    ? { ...due, enqueue_at: new Date(startAt - earlyMs).toISOString() }
    : due;
}

/** A delivery, and the queue of its next message. */
interface Waiting {
  delivery: Delivery;
  queue: Speed;
}

/** Lets a delivery wait for its slot. Nothing waits in a function. */
export async function waitForSlot(waiting: Waiting, startAt: number): Promise<void> {
  const now = Date.now();
  await reschedule(waiting, dueAtSlot(startAt, now), { slots: (waiting.delivery.slots ?? 0) + 1 }, now);
}

/**
 * Postpones a delivery whose host refuses connections, as an attempt of another delivery has shown. No attempt was made, so
 * none is counted, and as many attempts as before are left. Each postponement is longer, as if an attempt had failed.
 */
export async function postpone(waiting: Waiting): Promise<void> {
  const { attempt_count, schedule_start, postponements = 0 } = waiting.delivery;
  const now = Date.now();
  const tries = Math.min(attempt_count - schedule_start + postponements + 1, delaysSeconds.length);
  const due = dueAt(nextAttemptAt(tries, now) as number, now);
  await reschedule(waiting, due, { postponements: postponements + 1, slots: undefined }, now);
}

async function reschedule(
  { delivery, queue }: Waiting,
  { delaySeconds, ...due }: ReturnType<typeof dueAt>,
  changes: Partial<Delivery>,
  now: number,
): Promise<void> {
  const { committed } = await write(rescheduled(delivery, { ...due, ...changes }, now));
  if (committed && delaySeconds !== undefined)
    await enqueue([{ message: deliveryMessage(delivery), queue, delaySeconds }]);
}
