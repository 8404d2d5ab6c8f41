import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../contract/eventTypes.ts';
import type { Origin } from '../../contract/origin.ts';
import type { SubscriptionInEvents } from '../../contract/webhookSubscriptions.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { putNotice } from '../../records/notice.ts';
import type { Subscription } from './subscription.ts';

/** A change of a subscription that is in the feed, and that the other subscriptions of the account get an event of. */
type Announced = Extract<EventType, `subscription.${string}`>;

/**
 * The action that announces a change of a subscription. It belongs in the transaction of the change.
 * @param origin the key that changed it, if one did
 */
export function announce(
  account: string,
  type: Announced,
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
