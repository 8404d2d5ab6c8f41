import { firstKeptOf } from '../../changes/kept.ts';
import { readMany } from '../../dynamodb/batch.ts';
import { env, required } from '../../env.ts';
import { deletedKey, subscriptionKey } from '../keys.ts';
import { isSubscriptionId, noSubscription } from '../subscriptions/readSubscriptions.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/** The extent of a subscription's log of deliveries; it exists also when the subscription was deleted. */
export type Log = Pick<Subscription, 'log_count' | 'log_days'> & { deleted?: true };

/** The first position of the log that can be read. */
export const firstKept = ({ log_count, log_days }: Log): number => firstKeptOf(log_days, log_count);

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
