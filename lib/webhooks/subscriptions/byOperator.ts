import { readMany } from '../../dynamodb/batch.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { ownerOf } from '../keys.ts';
import { ordersFor } from '../recovery/orders.ts';
import { startRelease } from '../recovery/startOrders.ts';
import { webhooksTable } from '../table.ts';
import { readSubscription } from './readSubscriptions.ts';
import type { Subscription } from './subscription.ts';
import { changeSubscription } from './updateSubscription.ts';

// What the operator of the API does to subscriptions of any account.

/** The subscriptions of all accounts whose URL has a host. The index is eventually consistent: a very new one may be missing. */
export async function* subscriptionsTo(
  host: string,
): AsyncGenerator<{ account: string; subscription: Subscription }> {
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
    for (const item of await readMany(TableName, keys))
      if (item.host === host)
        yield {
          account: ownerOf(item.pk as string).account,
          subscription: item as unknown as Subscription,
        };
  }
}

/** Whether the operator's command changes a subscription. The operator resumes only what the operator has paused. */
export const isChangedBy = (
  change: 'pause' | 'resume',
  { status, status_reason }: Pick<Subscription, 'status' | 'status_reason'>,
): boolean =>
  change === 'pause'
    ? status === 'active' || status === 'suspended'
    : status === 'paused' && status_reason === 'operator';

/** How long conflicts with other changes of the subscription are retried. */
const patienceMs = 10_000;

/**
 * Pauses or resumes a subscription. Its deliveries are held in between, as when its owner pauses it, and released at once.
 * @returns the subscription after the change
 * @throws ApiError 404 when the account has no such subscription any more
 */
export function changeByOperator(
  change: 'pause' | 'resume',
  account: string,
  id: string,
): Promise<Subscription> {
  return untilCommitted(Date.now() + patienceMs, async () => {
    const current = await readSubscription(account, id);
    if (!isChangedBy(change, current)) return current;
    const { next, action } = changeSubscription(
      account,
      current,
      change === 'pause'
        ? { status: 'paused', status_reason: 'operator', next_probe_at: null }
        : { status: 'active', status_reason: null, failing_since: undefined },
    );
    const due = new Date();
    if (await transact([action, ...ordersFor(next.status, account, id, due)])) return undefined;
    if (change === 'resume') await startRelease(account, id, due);
    return next;
  });
}
