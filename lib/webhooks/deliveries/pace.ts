import { absentOrBelow, plus } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import type { Delivery } from '../model/delivery.ts';
import { paceKey } from '../model/keys.ts';

// `max_per_second` of a subscription, by the generic cell rate algorithm (ITU-T I.371): a leaky bucket of which only one time is stored,
// the theoretical arrival time of the next attempt.

/** How early an attempt may be for its slot. SQS rounds delays up to whole seconds, and with this they never end after the slot. */
const toleranceMs = 1000;

/** A slot that is longer ago was meant for another time: many attempts that are late together must not begin together. */
const lateMs = 5000;

/** For one attempt. With more, a pipeline that is always late would reserve slots and make no attempt. */
const slotsMax = 2;

export function hasSlot({ phase }: Pick<Delivery, 'phase'>, now: number): boolean {
  if (phase.at !== 'waiting') return false;
  const { slots = 0, due } = phase;
  return slots >= slotsMax || (slots > 0 && now - Date.parse(due) <= lateMs);
}

/** Nobody needs the item of a subscription that has made no attempt for a day. */
const keptSeconds = 24 * 3600;

const ttlFor = (arrival: number): number => Math.ceil(arrival / 1000) + keptSeconds;

/**
 * Reserves a slot for an attempt, in one write or two. Reservations at the same time do not wait for each other: each adds to the time
 * that it finds. Slots are evenly spaced, and in a span of T seconds at most `rate × (T + 1) + 1` of all attempts begin.
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
  // That time only grows, so what has refused the first write needs no condition here.
  const found = refused.item?.arrival as number;
  const more = { arrival: plus(step), ttl: ttlFor(found + step) };
  const { answer } = await writeUpdate(webhooks.update(key, more), { returnsItem: true });
  return Math.max(now, (answer?.arrival as number) - step - toleranceMs);
}
