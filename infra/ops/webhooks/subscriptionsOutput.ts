import type { Subscription } from '../../../lib/webhooks/subscriptions/subscription.ts';
import { columns } from '../columns.ts';

/** A subscription, and what a command has done with it or would do. */
export interface Found {
  account: string;
  subscription: Subscription;
  /** Whether the command changes it; undefined when it changes nothing. */
  changed?: boolean;
}

/** A subscription as JSON, under the names that the API uses for it. */
export const view = ({ account, subscription, changed }: Found) => ({
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

/** Subscriptions as a table. Of URLs only the host is in it: the rest may hold what only their owners should know. */
export const table = (found: readonly Found[]): string =>
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
