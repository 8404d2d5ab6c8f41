import { readMany } from '../../dynamodb/batch.ts';
import { env, required } from '../../env.ts';
import { deletedKey, subscriptionKey } from '../keys.ts';
import { isSubscriptionId, noSubscription } from '../subscriptions/readSubscriptions.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** The extent of a subscription's log of deliveries; it exists also when the subscription was deleted. */
export type Log = Pick<Subscription, 'log_count' | 'log_days'> & { deleted?: true };

const dayMs = 24 * 3_600_000;

/** How long deliveries can be read, and sent again. */
export const keptDays = 30;

/** A delivery that is sent again on its last day is kept for a whole retry schedule. */
const spareDays = 6;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When the database may remove an item that was created at a time, in epoch seconds: nobody can read it then. */
export const expiryOf = (at: Date): number =>
  Math.ceil((at.getTime() + (keptDays + spareDays) * dayMs) / 1000);

/** The first position of the log that can be read: that of the first delivery of the days that are kept. */
export function firstKept({ log_count, log_days }: Log, now = Date.now()): number {
  const oldest = dayOf(now - keptDays * dayMs);
  const firsts = Object.entries(log_days).flatMap(([day, first]) => (day >= oldest ? [first] : []));
  return Math.min(log_count, ...firsts);
}

/** The days of the log when a delivery is added now: with today, and without the days that nobody can read any more. */
export function daysWith({ log_count, log_days }: Log, now: number): Log['log_days'] {
  const [today, oldest] = [dayOf(now), dayOf(now - (keptDays + 1) * dayMs)];
  if (today in log_days) return log_days;
  const kept = Object.entries(log_days).filter(([day]) => day >= oldest);
  return { ...Object.fromEntries(kept), [today]: log_count };
}

/** @throws ApiError 404 when the account has, and lately had, no such subscription */
export async function readLog(account: string, id: string): Promise<Log> {
  if (!isSubscriptionId(id)) throw noSubscription(id);
  const [log] = await readMany(required(env.webhooksTable), [
    subscriptionKey(account, id),
    deletedKey(account, id),
  ]);
  if (!log) throw noSubscription(id);
  return log as unknown as Log;
}
