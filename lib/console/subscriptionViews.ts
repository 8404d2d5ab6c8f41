import { fewAtOnce } from '../concurrency.ts';
import type { ConsoleSubscription } from '../contract/console/consoleWebhooks.ts';
import type { SubscriptionQuery } from '../contract/webhookSubscriptions.ts';
import type { Page } from '../records/listByOffset.ts';
import { listDeliveries } from '../webhooks/log/listDeliveries.ts';
import { fromConsole, type Subscription, shownSubscription } from '../webhooks/model/subscription.ts';
import { pageOfSubscriptions, readSubscription, runningRedelivery } from '../webhooks/model/subscriptions.ts';

const dayMs = 24 * 3_600_000;

/** How many pending deliveries are read at each end of the list. */
const readMax = 25;

/** Each subscription takes several reads. */
const subscriptionsAtOnce = 5;

/** Returns a subscription with its waiting deliveries. @throws ApiError 404 if the account has no such subscription */
export const subscriptionWithDeliveries = async (account: string, id: string): Promise<ConsoleSubscription> =>
  withDeliveries(account, await readSubscription(account, id));

export async function pageWithDeliveries(
  account: string,
  query: SubscriptionQuery,
): Promise<Page<ConsoleSubscription>> {
  const { data, pagination } = await pageOfSubscriptions(account, query);
  const shown = await fewAtOnce(data, (one) => withDeliveries(account, one), subscriptionsAtOnce);
  return { data: shown, pagination };
}

async function withDeliveries(account: string, subscription: Subscription): Promise<ConsoleSubscription> {
  const list = (
    status: 'pending' | 'failed',
    limit: number,
    more: { offset?: number; since?: string } = {},
  ) =>
    listDeliveries(
      account,
      subscription.id,
      { limit, offset: 0, status: [status], ...more } as Parameters<typeof listDeliveries>[2],
      fromConsole.access,
    );
  const [newest, failed, redelivery = null] = await Promise.all([
    list('pending', readMax),
    list('failed', 1, { since: new Date(Date.now() - dayMs).toISOString() }),
    runningRedelivery(account, subscription.id),
  ]);
  const waiting = newest.pagination.total;
  // A receiver that is down is probed with the oldest deliveries.
  const oldest = waiting > readMax ? await list('pending', readMax, { offset: waiting - readMax }) : newest;
  const read = [...newest.data, ...oldest.data];
  const failures = read
    .flatMap(({ attempts }) => attempts.slice(-1))
    .filter(({ outcome }) => outcome !== 'success');
  return {
    ...shownSubscription(subscription),
    deliveries: {
      waiting,
      failed_24h: failed.pagination.total,
      failing_since: subscription.receiver.failing_since ?? null,
      next_attempt_at: read.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).sort()[0] ?? null,
      last_failure: failures.sort((a, b) => a.started_at.localeCompare(b.started_at)).at(-1) ?? null,
      redelivery,
    },
  };
}
