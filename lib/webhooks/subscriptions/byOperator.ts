import { readMany } from '../../dynamodb/batch.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { ownerOf } from '../keys.ts';
import { firstOrderOf, ordersFor } from '../recovery/orders.ts';
import { startOrder } from '../recovery/startOrders.ts';
import { webhooksTable } from '../table.ts';
import { isSubscriptionId, readSubscription } from './readSubscriptions.ts';
import { isBlocked, stopHost, stoppedHostsOf } from './stoppedHosts.ts';
import { afterStop, isStopped, type Subscription } from './subscription.ts';
import { changeSubscription } from './updateSubscription.ts';

// What the operator of the API does to subscriptions of any account.

/** How long conflicts with other changes are retried. */
const patienceMs = 10_000;

/** The items of all accounts that have a host. The index is eventually consistent: a very new one may be missing. */
async function* itemsWith(host: string): AsyncGenerator<Record<string, unknown>> {
  const { name, partitionKey } = webhooksTable.byHost;
  const TableName = required(env.webhooksTable);
  const pages = queryPages({
    TableName,
    IndexName: name,
    KeyConditionExpression: `${partitionKey} = :host`,
    ExpressionAttributeValues: { ':host': host },
  });
  for await (const items of pages) {
    const keys = items.map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
    // The index may be out of date: the subscription may be deleted, or have another host now.
    for (const item of await readMany(TableName, keys)) if (item.host === host) yield item;
  }
}

/** The subscriptions of all accounts whose URL has a host. */
export async function* subscriptionsTo(
  host: string,
): AsyncGenerator<{ account: string; subscription: Subscription }> {
  for await (const item of itemsWith(host))
    if (isSubscriptionId(item.sk as string))
      yield {
        account: ownerOf(item.pk as string).account,
        subscription: item as unknown as Subscription,
      };
}

/** The accounts for which a host is stopped. */
export async function accountsStoppedFor(host: string): Promise<string[]> {
  const accounts: string[] = [];
  for await (const { pk, sk } of itemsWith(host))
    if (!isSubscriptionId(sk as string)) accounts.push(ownerOf(pk as string).account);
  return accounts;
}

/** Lets an account subscribe a host again whose subscription was paused, and then deleted or redirected by its owner. */
export async function resumeHost(account: string, host: string): Promise<void> {
  await untilCommitted(Date.now() + patienceMs, async () =>
    (await transact([stopHost(account, host, false)])) ? undefined : {},
  );
}

/**
 * What an operator does: `resume` ends what `pause` has begun, and `unblock` what `block` has. Pausing is about a subscription, and
 * blocking about its host.
 */
export type OperatorChange = 'pause' | 'resume' | 'block' | 'unblock';

/** Whether the operator's command changes a subscription. A stop also holds for one that its owner has paused, and could resume. */
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
 * Stops or resumes a subscription. Its deliveries are held in between, as when its owner pauses it, and released at once.
 * @returns the subscription after the change
 * @throws ApiError 404 when the account has no such subscription any more
 */
export function changeByOperator(change: OperatorChange, account: string, id: string): Promise<Subscription> {
  return untilCommitted(Date.now() + patienceMs, async () => {
    const current = await readSubscription(account, id);
    if (!isChangedBy(change, current)) return current;
    const changes = change === 'pause' || change === 'block' ? stop(change, current) : await resume(current);
    const { next, action } = changeSubscription(account, current, changes);
    const due = new Date();
    const actions = [action, ...ordersFor(account, next, due), ...hostOf(change, account, current)];
    if (await transact(actions)) return undefined;
    if (next.status === 'active') await startOrder(account, id, firstOrderOf(next), due);
    return next;
  });
}

/** Pausing also keeps the account from subscribing the host again. */
const hostOf = (change: OperatorChange, account: string, { host }: Subscription): Action[] =>
  change === 'pause' || change === 'resume' ? [stopHost(account, host, change === 'pause')] : [];

const reasons = { pause: 'operator', block: 'blocked' } as const;

function stop(change: 'pause' | 'block', current: Subscription): Partial<Subscription> {
  const { status, status_reason, before_stop } = current;
  const isOfOwner = !isStopped(current) && (status === 'paused' || status === 'disabled');
  return {
    status: 'paused',
    status_reason: reasons[change],
    next_probe_at: null,
    before_stop: isOfOwner ? { status, status_reason } : before_stop,
  };
}

/** What a subscription becomes that a restore brings back, while its host is stopped for its account, or blocked: nothing when it is neither. */
export async function stopOf(account: string, current: Subscription): Promise<Partial<Subscription>> {
  const { host } = current;
  const [stopped, blocked] = await Promise.all([stoppedHostsOf(account), isBlocked(host)]);
  const change = stopped.includes(host) ? 'pause' : blocked ? 'block' : undefined;
  return change && isChangedBy(change, current) ? stop(change, current) : {};
}

/** One whose host is blocked stays stopped. */
async function resume({ status_reason, host, before_stop }: Subscription): Promise<Partial<Subscription>> {
  const isHeld = status_reason === 'operator' && (await isBlocked(host));
  return isHeld ? { status: 'paused', status_reason: 'blocked' } : afterStop(before_stop);
}
