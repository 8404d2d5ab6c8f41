import { absentOrBelow, plus } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import type { Delivery } from '../model/delivery.ts';
import { paceKey } from '../model/webhookKeys.ts';

// The rate limiter behind `max_per_second`. It uses the generic cell rate algorithm (ITU-T I.371), a leaky bucket that stores only one time:
// the theoretical arrival time of the next attempt.

/** How early an attempt may be for its slot. SQS rounds delays up to whole seconds. With this tolerance, a delay never ends after its slot. */
const toleranceMs = 1000;

/** A slot expires after this time. Otherwise, many attempts that are late together would start together. */
const lateMs = 5000;

/** The most slots for one attempt. With more, a pipeline that is always late would reserve slots and make no attempt. */
const slotsMax = 2;

export function hasSlot({ phase }: Pick<Delivery, 'phase'>, now: number): boolean {
  if (phase.at !== 'waiting') return false;
  const { slots = 0, due } = phase;
  return slots >= slotsMax || (slots > 0 && now - Date.parse(due) <= lateMs);
}

/** The item is useless after a day without an attempt. */
const keptSeconds = 24 * 3600;

const ttlFor = (arrival: number): number => Math.ceil(arrival / 1000) + keptSeconds;

/**
 * Reserves a slot for an attempt, with one or two writes. Concurrent reservations do not wait for each other, because each adds to the time
 * that it finds. Slots are evenly spaced. In a span of T seconds, at most `rate × (T + 1) + 1` attempts begin.
 * @param rate attempts per second
 * @returns when the attempt may begin, in epoch milliseconds
 */
export async function reserveSlot(account: string, id: string, rate: number): Promise<number> {
  const key = paceKey(account, id);
  const [now, step] = [Date.now(), 1000 / rate];
  const next = now + step;
  const first = { arrival: next, ttl: ttlFor(next) };
  const { refused } = await writeUpdate(
    webhooks.update(key, first, { if: { arrival: absentOrBelow(now) }, showsItem: true }),
  );
  if (!refused) return now;
  // The arrival time only grows. The condition that refused the first write still fails, so this write needs none.
  const found = refused.item?.arrival as number;
  const more = { arrival: plus(step), ttl: ttlFor(found + step) };
  const { answer } = await writeUpdate(webhooks.update(key, more), { returnsItem: true });
  return Math.max(now, (answer?.arrival as number) - step - toleranceMs);
}
