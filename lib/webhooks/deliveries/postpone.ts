import { dueAt } from '../jobs/dueTimes.ts';
import { type DeliveryMessage, enqueue } from '../jobs/queue.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Speed } from '../model/subscription.ts';
import { reschedule } from './reschedule.ts';
import { delaysSeconds, nextAttemptAt } from './schedule.ts';

/**
 * Postpones a delivery whose host refuses connections, as an attempt of another delivery has shown. No attempt was made, so
 * none is counted, and as many attempts as before are left. Each postponement is longer, as if an attempt had failed.
 */
export async function postpone(message: DeliveryMessage, queue: Speed, delivery: Delivery): Promise<void> {
  const { attempt_count, schedule_start, postponements = 0 } = delivery;
  const now = Date.now();
  const tries = Math.min(attempt_count - schedule_start + postponements + 1, delaysSeconds.length);
  const { delaySeconds, ...due } = dueAt(nextAttemptAt(tries, now) as number, now);
  const change = { ...due, postponements: postponements + 1, slots: undefined };
  if ((await reschedule(delivery, change, now)) && delaySeconds !== undefined)
    await enqueue([{ message, queue, delaySeconds }]);
}
