import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { changeByOperator, isChangedBy, type OperatorChange } from '../../../lib/webhooks/receivers/stop.ts';
import { countOf } from '../../terminal/output.ts';
import { columns } from '../columns.ts';

/**
 * Stops or resumes subscriptions, one after the other. After an early end it can be run again safely.
 * @returns the subscriptions after the change; with `dryRun` before it, and whether each would change
 */
export async function changeAll(
  change: OperatorChange,
  found: readonly FoundSubscription[],
  { dryRun }: { dryRun: boolean },
): Promise<FoundSubscription[]> {
  const done: FoundSubscription[] = [];
  for (const { account, subscription } of found) {
    const changed = isChangedBy(change, subscription);
    const next = changed && !dryRun ? await changeByOperator(change, account, subscription.id) : subscription;
    done.push({ account, subscription: next, changed });
  }
  return done;
}

const participles: Record<OperatorChange, string> = {
  pause: 'paused',
  resume: 'resumed',
  block: 'paused',
  unblock: 'resumed',
};

/** A sentence with the number of subscriptions that were changed, or would be. */
export function sentenceOf(
  change: OperatorChange,
  done: readonly FoundSubscription[],
  dryRun: boolean,
): string {
  const count = done.filter(({ changed }) => changed).length;
  const verb = dryRun ? 'would be' : count === 1 ? 'was' : 'were';
  return `${count} of ${countOf(done.length, 'subscription')} ${verb} ${participles[change]}.`;
}

/** A subscription that a command has found. */
export interface FoundSubscription {
  account: string;
  subscription: Subscription;
  /** Whether the command changes it; undefined when the command only lists. */
  changed?: boolean;
}

/** A subscription as JSON, with the field names of the API. */
export const view = ({ account, subscription, changed }: FoundSubscription) => ({
  account,
  id: subscription.id,
  url: subscription.url,
  event_types: subscription.event_types,
  payload: subscription.payload,
  status: subscription.status,
  status_reason: subscription.status_reason,
  created_at: subscription.created_at,
  created_by_key_id: subscription.created_by_key_id,
  updated_by_key_id: subscription.updated_by_key_id,
  ...(changed === undefined ? {} : { changed }),
});

const statusOf = ({ status, status_reason: reason }: Subscription): string =>
  reason ? `${status} (${reason})` : status;

/** Subscriptions as a table. It has only the hosts of URLs, because the rest may hold secrets of their owners. */
export const table = (found: readonly FoundSubscription[]): string =>
  columns([
    ['ACCOUNT', 'SUBSCRIPTION', 'STATUS', 'HOST', 'PAYLOAD', 'MADE BY', 'CHANGED BY'],
    ...found.map(({ account, subscription }) => [
      account,
      subscription.id,
      statusOf(subscription),
      subscription.host,
      subscription.payload,
      subscription.created_by_key_id ?? '-',
      subscription.updated_by_key_id ?? '-',
    ]),
  ]);
