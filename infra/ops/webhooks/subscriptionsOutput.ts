import type { Subscription } from '../../../lib/webhooks/model/subscription.ts';
import { columns } from '../columns.ts';

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
