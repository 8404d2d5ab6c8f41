import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Delivery } from '../model/delivery.ts';
import { deletedKey, subscriptionKey } from '../model/keys.ts';
import { isSubscriptionId, noSubscription } from '../model/readSubscriptions.ts';
import type { Subscription } from '../model/subscription.ts';

/** The log of deliveries of a subscription: the subscription itself, or what a deleted one has left. */
export type Log = Extent & (({ deleted?: never } & Subscription) | { deleted: true });

type Extent = Pick<Subscription, 'log_count' | 'log_days'>;

/** @throws ApiError 404 when the account has, and lately had, no such subscription */
export async function readLog(account: string, id: string): Promise<Log> {
  if (!isSubscriptionId(id)) throw noSubscription(id);
  const [log] = await readItems<Log>(webhooks, [subscriptionKey(account, id), deletedKey(account, id)]);
  if (!log) throw noSubscription(id);
  return log;
}

/** A delivery as its log shows it. A pending one of a deleted subscription is cancelled: its item says so only after its next message. */
export const asLogged = <D extends Pick<Delivery, 'status' | 'next_attempt_at'>>(
  { deleted }: Pick<Log, 'deleted'>,
  item: D,
): D =>
  deleted && item.status === 'pending' ? { ...item, status: 'cancelled', next_attempt_at: undefined } : item;
