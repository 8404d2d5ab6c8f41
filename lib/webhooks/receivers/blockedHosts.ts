import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absent, unlessThere } from '../../dynamodb/expressions.ts';
import type { Key } from '../../dynamodb/item.ts';
import { queryAll, queryPages } from '../../dynamodb/query.ts';
import { readItem, readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, transact, transactUntil, write } from '../../dynamodb/transact.ts';
import { resumeKeys, suspendedSince, suspendKeys } from '../../keys/suspension.ts';
import {
  afterStop,
  isProbed,
  isSent,
  isStopped,
  type Subscription,
  type SubscriptionChanges,
} from '../model/subscription.ts';
import {
  changeSubscription,
  isSubscriptionId,
  readSubscription,
  readSubscriptions,
  recoveryFrom,
} from '../model/subscriptions.ts';
import {
  blockedHostKey,
  blockedHostsPartition,
  ownerOf,
  stoppedHostKey,
  stoppedHostsPartition,
  subscriptionKey,
  suspensionKey,
} from '../model/webhookKeys.ts';
import { webhooksTable } from '../model/webhooksTable.ts';
import { resumeSending } from '../queue/messages.ts';

// The stops of the API's operator: of a host for all accounts, of a subscription, and of an account.

/** How long conflicts with other changes are retried. */
const limitMs = 10_000;

/** Returns the hosts that are blocked for all accounts, each with the time of its block, RFC 3339 UTC. Strongly consistent. */
export async function readBlockedHosts(): Promise<Record<string, string>> {
  const items = await queryAll({ ...webhooks.where({ pk: blockedHostsPartition }), ConsistentRead: true });
  return Object.fromEntries(items.map(({ sk, blocked_at }) => [sk, blocked_at]));
}

/** Strongly consistent. */
export const isBlocked = async (host: string): Promise<boolean> =>
  (await readItem(webhooks, blockedHostKey(host))) !== undefined;

/** Blocks or unblocks a host. A repeated block keeps the first time. */
export async function setBlocked(host: string, blocked: boolean): Promise<void> {
  const keys = [{ pk: blockedHostsPartition, sk: host }, blockedHostKey(host)];
  const changes = { blocked_at: unlessThere(new Date().toISOString()) };
  await transact(keys.map((key) => (blocked ? webhooks.update(key, changes) : webhooks.delete(key))));
}

/** Returns whether an account may not subscribe a host, because a new subscription must not undo a stop. Strongly consistent. */
export async function isStoppedFor(account: string, host: string): Promise<boolean> {
  const [blocked, stopped] = await Promise.all([
    isBlocked(host),
    readItem(webhooks, stoppedHostKey(account, host)),
  ]);
  return blocked || stopped?.host !== undefined;
}

/**
 * Lets a transaction commit only if the host of a URL is not stopped for an account, because the operator may stop it during the DNS lookup.
 * Blocks need no check here, because each attempt checks them.
 */
export const whileNotStopped = (account: string, host: string): Action =>
  webhooks.check(stoppedHostKey(account, host), { host: absent });

/** Stops or resumes a host. The item stays, so that a restore from an older backup does not stop the host again. */
const stopHost = (account: string, host: string, stopped: boolean): Action =>
  webhooks.put({
    ...stoppedHostKey(account, host),
    ...(stopped ? { host } : { resumed_at: new Date().toISOString() }),
  });

export async function stoppedHostsOf(account: string): Promise<string[]> {
  const query = webhooks.where({ pk: stoppedHostsPartition(account) });
  const items = await queryAll({ ...query, ConsistentRead: true });
  return items.flatMap(({ sk, host }) => (host === undefined ? [] : [sk as string]));
}

/** Yields the items of all accounts with a host. The index is eventually consistent, so a very new item may be missing. */
async function* itemsWith(host: string): AsyncGenerator<Subscription & { pk: string; sk: string }> {
  const { name, partitionKey } = webhooksTable.byHost;
  const pages = queryPages<Key>({ ...webhooks.where({ [partitionKey]: host }), IndexName: name });
  for await (const items of pages) {
    const keys = items.map(({ pk = '', sk = '' }) => ({ pk, sk }));
    // The index may be out of date: the subscription may be deleted, or may have another host now.
    for (const item of await readItems<Subscription & { pk: string; sk: string }>(webhooks, keys))
      if (item.host === host) yield item;
  }
}

export async function* subscriptionsTo(
  host: string,
): AsyncGenerator<{ account: string; subscription: Subscription }> {
  for await (const item of itemsWith(host))
    if (isSubscriptionId(item.sk)) yield { account: ownerOf(item.pk).account, subscription: item };
}

export async function accountsStoppedFor(host: string): Promise<string[]> {
  const accounts: string[] = [];
  for await (const { pk, sk } of itemsWith(host))
    if (!isSubscriptionId(sk)) accounts.push(ownerOf(pk).account);
  return accounts;
}

/** Lets an account subscribe a host again, after its paused subscription to the host was deleted or moved to another host. */
export async function resumeHost(account: string, host: string): Promise<void> {
  await write(stopHost(account, host, false));
}

/** `resume` undoes `pause`, and `unblock` undoes `block`. Pausing applies to a subscription, and blocking to its host. */
export type OperatorChange = 'pause' | 'resume' | 'block' | 'unblock';

/** Returns whether a command changes a subscription. A stop also applies to one that its account paused and could resume. */
export function isChangedBy(
  change: OperatorChange,
  { status, status_reason }: Pick<Subscription, 'status' | 'status_reason'>,
): boolean {
  const reason = status === 'paused' ? status_reason : null;
  if (change === 'pause') return reason !== 'operator';
  if (change === 'block') return reason !== 'operator' && reason !== 'blocked';
  return reason === (change === 'resume' ? 'operator' : 'blocked');
}

/**
 * Stops or resumes a subscription. Its deliveries are held in between, like after a pause by its account. After the stop they are sent at once.
 * @returns the subscription after the change
 * @throws ApiError 404 if the account no longer has such a subscription
 */
export function changeByOperator(change: OperatorChange, account: string, id: string): Promise<Subscription> {
  return untilCommitted(Date.now() + limitMs, async () => {
    const current = await readSubscription(account, id);
    return isChangedBy(change, current) ? tryChange(change, account, current) : current;
  });
}

/** Stops or resumes a subscription as it was read. @returns undefined if it has changed since */
export async function tryChange(
  change: OperatorChange,
  account: string,
  current: Subscription,
): Promise<Subscription | undefined> {
  const isStop = change === 'pause' || change === 'block';
  const changes = isStop ? stop(change, current) : await resume(current);
  const { next, action } = changeSubscription(account, current, changes);
  // A pause also prevents the account from subscribing the host again.
  const isOfHost = change === 'pause' || change === 'resume';
  const actions = isOfHost ? [action, stopHost(account, current.host, isStop)] : [action];
  if (!(await transact(actions)).committed) return undefined;
  if (next.status === 'active') await resumeSending(account, current.id);
  return next;
}

function stop(change: 'pause' | 'block', current: Subscription): SubscriptionChanges {
  const { status, status_reason, before_stop } = current;
  const isOfOwner = !isStopped(current) && (status === 'paused' || status === 'disabled');
  return {
    status: 'paused',
    status_reason: change === 'pause' ? 'operator' : 'blocked',
    before_stop: isOfOwner ? { status, status_reason } : before_stop,
  };
}

/** Returns the changes of a subscription that a restore brings back while its host is stopped for its account, or blocked. */
export async function stopOf(account: string, current: Subscription): Promise<SubscriptionChanges> {
  const { host } = current;
  const [stopped, blocked] = await Promise.all([stoppedHostsOf(account), isBlocked(host)]);
  const change = stopped.includes(host) ? 'pause' : blocked ? 'block' : undefined;
  return change && isChangedBy(change, current) ? stop(change, current) : {};
}

/** Returns the changes that resume a subscription. If its host is blocked, it stays stopped. */
async function resume({ status_reason, host, before_stop }: Subscription): Promise<SubscriptionChanges> {
  const isHeld = status_reason === 'operator' && (await isBlocked(host));
  return isHeld ? { status: 'paused', status_reason: 'blocked' } : afterStop(before_stop);
}

/**
 * Suspends an account. Its keys are refused, and nothing is sent to its receivers. Its subscriptions do not change. Their deliveries are held,
 * and are sent after the account is resumed. If the account is already suspended, the time of its suspension stays.
 * @returns the time since which it is suspended, RFC 3339 UTC
 */
export async function suspendAccount(account: string): Promise<string> {
  const now = new Date();
  const suspension = { ...suspensionKey(account), suspended_at: now.toISOString() };
  await transactUntil(Date.now() + limitMs, [suspendKeys(account, now), webhooks.put(suspension)]);
  return (await suspendedSince(account)) as string;
}

/** Resumes an account. It has no effect on an account that is not suspended. */
export async function resumeAccount(account: string): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    const all = await readSubscriptions(account);
    const active = all.filter((one) => isSent(one) || isProbed(one));
    const now = new Date();
    const { committed } = await transact([
      resumeKeys(account, now),
      webhooks.put({ ...suspensionKey(account), resumed_at: now.toISOString() }),
      // The deliveries of other subscriptions are held until those subscriptions are active.
      ...active.map((one) => {
        const { changes, conditions } = recoveryFrom(one, now.toISOString());
        const key = subscriptionKey(account, one.id);
        return one.enqueue_at === undefined
          ? webhooks.check(key, conditions)
          : webhooks.update(key, changes, { if: conditions });
      }),
    ]);
    if (!committed) return undefined;
    await Promise.all(active.map(({ id }) => resumeSending(account, id)));
    return {};
  });
}
