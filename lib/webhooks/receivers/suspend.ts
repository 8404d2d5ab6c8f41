import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { firstProbeAt, putProbes, putRelease, startJob } from '../jobs/jobs.ts';
import { announce } from '../model/announce.ts';
import { changeSubscription } from '../model/changeSubscription.ts';
import { commit } from '../model/commit.ts';
import { subscriptionKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

/** Suspends a subscription whose receiver has failed for days: its deliveries are held, and the receiver is probed. */
export async function suspend(account: string, subscription: Subscription): Promise<void> {
  // A probe fails while it is suspended already.
  if (subscription.status !== 'active') return;
  const first = firstProbeAt(Date.now());
  const { next, action } = changeSubscription(account, subscription, {
    status: 'suspended',
    status_reason: 'failing',
    next_probe_at: first.toISOString(),
  });
  // If it has changed since the attempt, whoever changed it has decided.
  const { committed } = await commit([
    action,
    putProbes(account, subscription.id, first),
    announce(account, 'subscription.suspended', subscription, next),
  ]);
  if (committed)
    log.warn('a webhook subscription was suspended', {
      account,
      subscription: subscription.id,
      host: subscription.host,
      ...counts('subscriptions_suspended'),
    });
}

/** Notes that the receiver of a subscription accepts deliveries, if some were held because it did not. */
export async function recover(account: string, subscription: Subscription): Promise<void> {
  const { status, parked_since, id } = subscription;
  const isSuspended = status === 'suspended';
  if (!isSuspended && (status !== 'active' || parked_since === undefined)) return;
  const due = new Date();
  const changes = isSuspended ? resume(account, subscription) : [unpark(account, subscription)];
  if (!(await commit([...changes, ...putRelease(account, id, due)])).committed) return;
  await startJob(account, id, 'release', due);
  if (isSuspended)
    log.info('a webhook subscription is active again', {
      account,
      subscription: id,
      ...counts('subscriptions_resumed'),
    });
}

function resume(account: string, subscription: Subscription): Action[] {
  const { next, action } = changeSubscription(account, subscription, {
    status: 'active',
    status_reason: null,
    next_probe_at: null,
    parked_since: undefined,
  });
  return [action, announce(account, 'subscription.resumed', subscription, next)];
}

/** No version changes: whether deliveries are parked is not a setting. */
const unpark = (account: string, { id, parked_since }: Subscription): Action =>
  webhooks.update(subscriptionKey(account, id), { parked_since: undefined }, { if: { parked_since } });
