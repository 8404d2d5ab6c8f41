import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../contract/eventTypes.ts';
import type { Origin } from '../../contract/origin.ts';
import type {
  SubscriptionInEvents,
  SubscriptionQuery,
  WebhookSubscription,
} from '../../contract/webhookSubscriptions.ts';
import {
  type Changes,
  type Conditions,
  plus,
  present,
  sameAs,
  startsWith,
  within,
} from '../../dynamodb/expressions.ts';
import { queryAll } from '../../dynamodb/query.ts';
import { readItem } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { notFound } from '../../errors/apiError.ts';
import type { Page } from '../../records/listByOffset.ts';
import { putNotice } from '../../records/notice.ts';
import {
  isProven,
  isSent,
  type Subscription,
  type SubscriptionChanges,
  shownSubscription,
} from './subscription.ts';
import {
  runningRedeliveryKey,
  subscriptionKey,
  subscriptionsPartition,
  suspensionKey,
} from './webhookKeys.ts';

export const subscriptionPrefix = 'whs';

/** Checks an id before a read. A client's id becomes part of a key, and must not reach other items of the table. */
export const isSubscriptionId = (id: string): boolean => /^whs_[0-9a-z]{24}$/.test(id);

export const noSubscription = (id: string) => notFound('webhook subscription', id);

/** @returns undefined if the account has no such subscription */
export async function findSubscription(account: string, id: string): Promise<Subscription | undefined> {
  return isSubscriptionId(id) ? readItem(webhooks, subscriptionKey(account, id)) : undefined;
}

/** @throws ApiError 404 if the account has no such subscription */
export async function readSubscription(account: string, id: string): Promise<Subscription> {
  const subscription = await findSubscription(account, id);
  if (!subscription) throw noSubscription(id);
  return subscription;
}

export const getSubscription = async (account: string, id: string): Promise<WebhookSubscription> =>
  shownSubscription(await readSubscription(account, id));

/** Returns all subscriptions of an account, at most 25, oldest first. Strongly consistent. */
export async function readSubscriptions(account: string): Promise<Subscription[]> {
  const keys = { pk: subscriptionsPartition(account), sk: startsWith(`${subscriptionPrefix}_`) };
  const items = await queryAll<Subscription>({ ...webhooks.where(keys), ConsistentRead: true });
  return items.sort((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? -1 : 1));
}

/** Returns a page of an account's subscriptions as they are stored, oldest first. */
export async function pageOfSubscriptions(
  account: string,
  { limit, offset, id: ids }: SubscriptionQuery,
): Promise<Page<Subscription>> {
  const all = (await readSubscriptions(account)).filter(({ id }) => ids?.includes(id) ?? true);
  return { data: all.slice(offset, offset + limit), pagination: { limit, offset, total: all.length } };
}

export async function listSubscriptions(
  account: string,
  query: SubscriptionQuery,
): Promise<Page<WebhookSubscription>> {
  const { data, pagination } = await pageOfSubscriptions(account, query);
  return { data: data.map(shownSubscription), pagination };
}

export const subscriptionsOf = async (account: string, keyId: string): Promise<Subscription[]> =>
  (await readSubscriptions(account)).filter(({ key_ids }) => key_ids.includes(keyId));

/**
 * Returns an outage if a subscription is resumed and its receiver may be down. The receiver counts as down until it accepts something, unless
 * it accepted the last attempt. Otherwise, an account that pauses and resumes a subscription repeatedly could send many requests to a host that
 * did not ask for them. The receiver is probed at once.
 */
const outageAtResumption = (next: Subscription, now: string): Subscription['outage'] =>
  isProven(next) && next.receiver.consecutive_failures === 0
    ? undefined
    : { since: now, probes: 1, next_probe_at: now };

/**
 * Starts the recovery of a subscription at a time, RFC 3339 UTC, for all deliveries that are held by then. If the subscription is not in the
 * due index, no delivery is held.
 */
export const recoveryFrom = (
  { enqueue_at }: Pick<Subscription, 'enqueue_at'>,
  time: string,
): { changes: Changes; conditions: Conditions } =>
  enqueue_at === undefined
    ? { changes: {}, conditions: { enqueue_at } }
    : {
        changes: {
          enqueue_at: time,
          // The length of the log at the commit, because new events lengthen the log all the time.
          ...within('recovery', {
            resumed_position: sameAs('logged.count'),
            step_at: undefined,
            steps: plus(1),
          }),
        },
        conditions: { due_partition: present },
      };

/** Returns the next version of a subscription, and the write that stores it if the current version is still stored. */
export function changeSubscription(
  account: string,
  current: Subscription,
  { receiver = {}, ...changes }: SubscriptionChanges,
): { next: Subscription; action: Action } {
  const updated_at = new Date().toISOString();
  const changed = { ...current, ...changes, receiver: { ...current.receiver, ...receiver } };
  const isMoved = changed.host !== current.host;
  const isResumed =
    changed.status === 'active' && (current.status !== 'active' || (isMoved && !isSent(current)));
  const written = {
    ...changes,
    ...(isResumed ? { outage: outageAtResumption(changed, updated_at) } : {}),
    version: current.version + 1,
    updated_at,
  };
  const recovery = isResumed ? recoveryFrom(current, updated_at) : undefined;
  const action = webhooks.update(
    subscriptionKey(account, current.id),
    {
      ...written,
      ...within('receiver', receiver),
      ...(isMoved ? { host_position: sameAs('logged.count') } : {}),
      ...recovery?.changes,
    },
    { if: { version: current.version, ...recovery?.conditions } },
  );
  return { next: { ...changed, ...written }, action };
}

/** Lets a transaction commit only while a subscription has the version that was read. */
export const whileUnchanged = (account: string, { id, version }: Subscription): Action =>
  webhooks.check(subscriptionKey(account, id), { version });

/** @param item the suspension of an account, which stays after its end */
export const isSuspended = (item: Record<string, unknown> | undefined): boolean =>
  item?.suspended_at !== undefined;

/** Lets a transaction commit only while an account is suspended. */
export const whileSuspended = (account: string): Action =>
  webhooks.check(suspensionKey(account), { suspended_at: present });

/**
 * Announces a change of a subscription in the feed, and to the other subscriptions of the account. It belongs to the transaction of the change.
 * @param origin the key that made the change, if one did
 */
export function announce(
  account: string,
  type: Extract<EventType, `subscription.${string}`>,
  before: Subscription,
  after: Subscription,
  origin: Origin | null = null,
): Action {
  const [was, is] = [shownInEvents(before), shownInEvents(after)];
  const { id, ...fields } = was;
  const changed = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, is[name as keyof typeof is]),
  );
  return putNotice({
    account,
    type,
    resource: { type: 'subscription', id, version: after.version },
    at: after.updated_at,
    previous: Object.fromEntries(changed),
    data: is,
    origin,
  });
}

const shownInEvents = ({ id, host, status }: Subscription): SubscriptionInEvents => ({ id, host, status });

/** Returns the id of the running bulk redelivery of a subscription. Strongly consistent. */
export const runningRedelivery = async (account: string, subscription: string): Promise<string | undefined> =>
  (await readItem<{ redelivery: string }>(webhooks, runningRedeliveryKey(account, subscription)))?.redelivery;
