import type { Written } from '../../dynamodb/conflicts.ts';
import { absentOrBelow, type Changes, type Conditions, is, plus } from '../../dynamodb/expressions.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { writeUpdate } from '../../dynamodb/transact.ts';
import { paceKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { startRate } from './adaptiveRate.ts';
import { reserveSlots } from './gcra.ts';

/** The pace of a subscription. A missing item is that of a subscription which has reserved nothing lately. */
export interface PaceItem {
  /** The theoretical arrival time of the next attempt, in epoch milliseconds. */
  arrival?: number;
  /** The adaptive rate of the last drain. */
  drain_rate?: number;
  drain_threshold?: number;
  /** How many overloads the drain has met since the last success. */
  overloads?: number;
  /** When the rate was last lowered, RFC 3339 UTC. */
  lowered_at?: string;
}

/** Nobody needs the item of a subscription that has made no attempt for a day. */
const keptSeconds = 24 * 3600;

export const expiryOfPace = (now: number): number => Math.ceil(now / 1000) + keptSeconds;

/** Whether the attempts of a subscription need slots. The others pay nothing for it. */
export const isPaced = ({ max_per_second, recovering_since }: Subscription): boolean =>
  (max_per_second ?? null) !== null || recovering_since !== undefined;

/** The attempts per second at which slots are reserved. */
export const rateOf = (
  { max_per_second: max }: Subscription,
  isDraining: boolean,
  { drain_rate: rate = startRate.rate }: PaceItem,
): number => Math.min(max ?? Number.POSITIVE_INFINITY, isDraining ? rate : Number.POSITIVE_INFINITY);

export const readPace = async (account: string, { id }: Pick<Subscription, 'id'>): Promise<PaceItem> =>
  (await readItems<PaceItem>(webhooks, [paceKey(account, id)]))[0] ?? {};

/** Changes the item on conditions. The answer is the item after that. */
export const updatePace = (
  account: string,
  id: string,
  changes: Changes,
  conditions?: Conditions,
): Promise<Written<PaceItem>> =>
  writeUpdate(webhooks.update(paceKey(account, id), changes, { if: conditions, showsItem: true }), {
    returnsItem: true,
  });

/** The most conflicts with reservations at the same time. */
const triesMax = 10;

/**
 * Reserves slots for attempts. Reservations at the same time do not wait for each other: each adds to the time that it finds.
 * @param isDraining whether the adaptive rate counts, or only the limit of the subscription
 * @param known the item as it was read last
 * @returns when each attempt may begin, in epoch milliseconds
 */
export async function reserve(
  account: string,
  subscription: Subscription,
  { count, isDraining, known }: { count: number; isDraining: boolean; known: PaceItem },
): Promise<number[]> {
  let { arrival } = known;
  for (let tries = 1; tries <= triesMax; tries++) {
    const now = Date.now();
    const rate = rateOf(subscription, isDraining, known);
    const { next } = reserveSlots(arrival, now, rate, count);
    const ttl = expiryOfPace(Math.max(now, next));
    const step = (count * 1000) / rate;
    const { answer, refused } =
      arrival !== undefined && arrival >= now
        ? await updatePace(account, subscription.id, { arrival: plus(step), ttl }, { arrival: is('>=', now) })
        : await updatePace(account, subscription.id, { arrival: next, ttl }, { arrival: absentOrBelow(now) });
    if (!refused) return reserveSlots((answer.arrival as number) - step, now, rate, count).startAt;
    arrival = refused.item?.arrival as number | undefined;
  }
  throw new Error('Too many attempts reserve slots of one subscription');
}
