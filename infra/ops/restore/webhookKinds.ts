import { blockedHostsKey, isRedeliveryId } from '../../../lib/webhooks/model/keys.ts';
import { isSubscriptionId } from '../../../lib/webhooks/model/readSubscriptions.ts';
import type { Item } from './restoration.ts';

/** What a subscription has besides its log. Nothing of it is restored. */
const jobs = ['release', 'probe', 'pace'];

/** The kind of an item of the Webhooks table. */
export function kindOfWebhooksItem({ pk, sk }: Item): string | undefined {
  const [, part = '', last] = String(pk).split('#');
  if (part === 'idempotency' && sk === 'answer') return 'answer';
  if (part === 'event' && sk === 'event') return 'event';
  if (part === 'subscriptions') return sk === 'count' ? 'count' : 'subscription';
  if (part === 'secrets') return 'secrets';
  if (part === 'deleted') return 'deleted';
  if (part === 'urls') return 'url';
  if (pk === blockedHostsKey.pk) return 'blocked_hosts';
  if (part === 'stopped-hosts') return 'stopped_host';
  if (part === 'suspension' && sk === 'suspension') return 'suspension';
  if (part === 'redelivery-turn' && sk === 'turn') return 'redelivery';
  if (!isSubscriptionId(part)) return undefined;
  if (last === undefined && (sk === 'redelivery' || isRedeliveryId(String(sk)))) return 'redelivery';
  if (last === undefined) return jobs.find((name) => name === sk);
  return /^\d+$/.test(last) ? 'delivery' : undefined;
}
