import { sameAs } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { subscriptionKey } from './keys.ts';
import { isProven, type Subscription } from './subscription.ts';

/**
 * A subscription that becomes active holds its deliveries until its receiver accepts something, unless it has accepted the last attempt:
 * otherwise, an owner who pauses and resumes it repeatedly would make many requests to a host that did not ask for them.
 */
function heldOn(next: Subscription, now: string): Pick<Subscription, 'parked_since'> {
  const accepts = isProven(next) && next.consecutive_failures === 0;
  return { parked_since: accepts ? undefined : (next.parked_since ?? now) };
}

/** The next version of a subscription, and the write that stores it, on the condition that the current version is stored. */
export function changeSubscription(
  account: string,
  current: Subscription,
  changes: Partial<Subscription>,
): { next: Subscription; action: Action } {
  const updated_at = new Date().toISOString();
  const written = {
    ...(changes.status === 'active' ? heldOn({ ...current, ...changes }, updated_at) : {}),
    ...changes,
    version: current.version + 1,
    updated_at,
  };
  const isMoved = changes.host !== undefined && changes.host !== current.host;
  const action = webhooks.update(
    subscriptionKey(account, current.id),
    // The length of the log as it is at the commit: events lengthen it all the time.
    { ...(isMoved ? { host_position: sameAs('log_count') } : {}), ...written },
    { if: { version: current.version } },
  );
  return { next: { ...current, ...written }, action };
}

/** Lets a transaction commit only while a subscription has the version that was read. */
export const whileUnchanged = (account: string, { id, version }: Subscription): Action =>
  webhooks.check(subscriptionKey(account, id), { version });
