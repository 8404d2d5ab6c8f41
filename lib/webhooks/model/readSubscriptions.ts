import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { SubscriptionQuery, WebhookSubscription } from '../../contract/webhookSubscriptions.ts';
import { dynamodb } from '../../dynamodb/client.ts';
import { startsWith } from '../../dynamodb/expressions.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { notFound } from '../../errors/apiError.ts';
import type { Page } from '../../records/list.ts';
import { subscriptionKey, subscriptionsPartition } from './keys.ts';
import { type Subscription, shownSubscription } from './subscription.ts';

export const subscriptionPrefix = 'whs';

/** Checked before a read: the id of a client is part of a key, and must not reach other items of the table. */
export const isSubscriptionId = (id: string): boolean => /^whs_[0-9a-z]{24}$/.test(id);

export const noSubscription = (id: string) => notFound('webhook subscription', id);

/** @returns undefined when the account has no such subscription */
export async function findSubscription(account: string, id: string): Promise<Subscription | undefined> {
  return isSubscriptionId(id) ? readItem(webhooks, subscriptionKey(account, id)) : undefined;
}

/** @throws ApiError 404 when the account has no such subscription */
export async function readSubscription(account: string, id: string): Promise<Subscription> {
  const subscription = await findSubscription(account, id);
  if (!subscription) throw noSubscription(id);
  return subscription;
}

export const getSubscription = async (account: string, id: string): Promise<WebhookSubscription> =>
  shownSubscription(await readSubscription(account, id));

/** All subscriptions of an account, at most 25, oldest first. Strongly consistent. */
export async function readSubscriptions(account: string): Promise<Subscription[]> {
  const { Items = [] } = await dynamodb().send(
    new QueryCommand({
      ...webhooks.where({ pk: subscriptionsPartition(account), sk: startsWith(`${subscriptionPrefix}_`) }),
      ConsistentRead: true,
    }),
  );
  return (Items as Subscription[]).sort((a, b) =>
    `${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? -1 : 1,
  );
}

export async function listSubscriptions(
  account: string,
  { limit, offset, id: ids }: SubscriptionQuery,
): Promise<Page<WebhookSubscription>> {
  const all = (await readSubscriptions(account)).filter(({ id }) => ids?.includes(id) ?? true);
  const data = all.slice(offset, offset + limit).map((item) => shownSubscription(item));
  return { data, pagination: { limit, offset, total: all.length } };
}

/** The subscriptions that a key has made or changed. */
export const subscriptionsOf = async (account: string, keyId: string): Promise<Subscription[]> =>
  (await readSubscriptions(account)).filter(({ key_ids = [] }) => key_ids.includes(keyId));
