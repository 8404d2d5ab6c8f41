import { absentOrBelow, type Changes, type Conditions, is, plus } from '../../dynamodb/expressions.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import type { Delivery } from '../model/delivery.ts';
import { paceKey } from '../model/keys.ts';

// `max_per_second` of a subscription, by the generic cell rate algorithm (ITU-T I.371): a leaky bucket of which only one time is stored,
// the theoretical arrival time of the next attempt.

/** An attempt may be so early for its slot: a delay of SQS, which is rounded up to whole seconds, is then never later than the slot. */
export const toleranceMs = 1000;

/** Times are epoch milliseconds. */
export interface Slot {
  /** The attempt may begin then. */
  startAt: number;
  /** The theoretical arrival time of the attempt after it. */
  next: number;
}

/**
 * Returns the next slot. In a span of T seconds, at most `rate × (T + 1) + 1` of all attempts begin. Slots are evenly spaced.
 * @param arrival the theoretical arrival time of the attempt; undefined when no slot was reserved before
 * @param rate attempts per second
 */
export function nextSlot(arrival: number | undefined, now: number, rate: number): Slot {
  const at = Math.max(now, arrival ?? now);
  return { startAt: Math.max(now, at - toleranceMs), next: at + 1000 / rate };
}

/** A slot that is longer ago was meant for another time: many attempts that are late together must not begin together. */
const lateMs = 5000;

/** For one attempt. With more, a pipeline that is always late would reserve slots and make no attempt. */
const slotsMax = 2;

export function hasSlot({ phase }: Pick<Delivery, 'phase'>, now: number): boolean {
  if (phase.at !== 'waiting') return false;
  const { slots = 0, due } = phase;
  return slots >= slotsMax || (slots > 0 && now - Date.parse(due) <= lateMs);
}

/** A missing item is that of a subscription which has reserved nothing lately. */
interface PaceItem {
  /** The theoretical arrival time of the next attempt, in epoch milliseconds. */
  arrival?: number;
}

/** Nobody needs the item of a subscription that has made no attempt for a day. */
const keptSeconds = 24 * 3600;

const triesMax = 10;

/**
 * Reserves a slot for an attempt. Reservations at the same time do not wait for each other: each adds to the time that it finds.
 * @param rate attempts per second
 * @returns when the attempt may begin, in epoch milliseconds
 */
export async function reserveSlot(account: string, id: string, rate: number): Promise<number> {
  const key = paceKey(account, id);
  const change = (changes: Changes, conditions: Conditions) =>
    writeUpdate<PaceItem>(webhooks.update(key, changes, { if: conditions, showsItem: true }), {
      returnsItem: true,
    });
  const [known] = await readItems<PaceItem>(webhooks, [key]);
  let arrival = known?.arrival;
  for (let tries = 1; tries <= triesMax; tries++) {
    const now = Date.now();
    const { next } = nextSlot(arrival, now, rate);
    const ttl = Math.ceil(next / 1000) + keptSeconds;
    const step = 1000 / rate;
    const { answer, refused } =
      arrival !== undefined && arrival >= now
        ? await change({ arrival: plus(step), ttl }, { arrival: is('>=', now) })
        : await change({ arrival: next, ttl }, { arrival: absentOrBelow(now) });
    if (!refused) return nextSlot((answer.arrival as number) - step, now, rate).startAt;
    arrival = refused.item?.arrival as number | undefined;
  }
  throw new Error('Too many attempts reserve slots of one subscription');
}
