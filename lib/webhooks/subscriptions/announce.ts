import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../contract/eventTypes.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { putNotice } from '../../records/notice.ts';
import { type Subscription, shownSubscription } from './subscription.ts';

/** A change of a subscription that is in the feed, and that the other subscriptions of the account get an event of. */
type Announced = Extract<EventType, `subscription.${string}`>;

/** The action that announces a change of a subscription. It belongs in the transaction of the change. */
export function announce(
  account: string,
  type: Announced,
  before: Subscription,
  after: Subscription,
): Action {
  const [was, is] = [shownInEvents(before), shownInEvents(after)];
  const { version: _, updated_at: __, ...fields } = was;
  const changed = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, is[name as keyof typeof is]),
  );
  return putNotice({
    account,
    type,
    resource: { type: 'subscription', id: is.id, version: is.version },
    at: is.updated_at,
    previous: Object.fromEntries(changed),
    data: is,
  });
}

function shownInEvents(subscription: Subscription) {
  const { health: _, ...shown } = shownSubscription(subscription);
  return shown;
}
