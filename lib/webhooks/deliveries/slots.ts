import { dueAt } from '../jobs/dueTimes.ts';
import { type DeliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Speed } from '../model/subscription.ts';
import { reschedule } from './reschedule.ts';

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

/** Lets a delivery wait for its slot. Nothing waits in a function. */
export async function waitForSlot(
  message: DeliveryMessage,
  queue: Speed,
  delivery: Delivery,
  startAt: number,
): Promise<void> {
  const now = Date.now();
  const { delaySeconds, ...due } = dueAtSlot(startAt, now);
  const change = { ...due, slots: (delivery.slots ?? 0) + 1 };
  if ((await reschedule(delivery, change, now)) && delaySeconds !== undefined)
    await enqueue([{ message, queue, delaySeconds }]);
}
