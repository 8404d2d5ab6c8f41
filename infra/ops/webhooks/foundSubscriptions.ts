import { type Subscription, shownSubscription } from '../../../lib/webhooks/model/subscription.ts';
import {
  changeByOperator,
  isChangedBy,
  type OperatorChange,
} from '../../../lib/webhooks/receivers/blockedHosts.ts';
import { tableOf } from '../textTable.ts';

/** A subscription that a command has found. */
export interface FoundSubscription {
  account: string;
  subscription: Subscription;
  /** True if the command changed it; undefined if the command only lists. */
  changed?: boolean;
}

/** Returns a subscription as JSON, as the API shows it. */
export const view = ({ account, subscription, changed }: FoundSubscription) => ({
  account,
  ...shownSubscription(subscription),
  changed,
});

/** Formats subscriptions as a table. It shows only the hosts of URLs, because the rest may contain secrets of their owners. */
export const subscriptionsTable = (found: readonly FoundSubscription[]): string =>
  tableOf(found, {
    ACCOUNT: ({ account }) => account,
    SUBSCRIPTION: ({ subscription }) => subscription.id,
    STATUS: ({ subscription: { status, status_reason: reason } }) =>
      reason ? `${status} (${reason})` : status,
    HEALTH: ({ subscription }) => shownSubscription(subscription).health.state,
    HOST: ({ subscription }) => subscription.host,
    'MADE BY': ({ subscription }) => subscription.created_by_key_id ?? '-',
    'CHANGED BY': ({ subscription }) => subscription.updated_by_key_id ?? '-',
  });

/** Stops or resumes subscriptions, one after the other. After an early end, it can safely run again. */
export async function changeAll(
  change: OperatorChange,
  found: readonly FoundSubscription[],
): Promise<FoundSubscription[]> {
  const done: FoundSubscription[] = [];
  for (const { account, subscription } of found)
    done.push({
      account,
      subscription: await changeByOperator(change, account, subscription.id),
      changed: isChangedBy(change, subscription),
    });
  return done;
}
