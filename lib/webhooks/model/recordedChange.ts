import type { Who } from '../../activity/author.ts';
import { record } from '../../activity/entry.ts';
import type { ActivityAction, ActivityEntry } from '../../contract/console/activity.ts';
import type { Action } from '../../dynamodb/transact.ts';
import type { Subscription } from './subscription.ts';

/**
 * Records what a person did to a subscription, with the version that it has then. What a key did has no record: the subscription names the
 * key.
 */
export function recordedChange(
  account: string,
  action: Extract<ActivityAction, `subscription.${string}`>,
  { id, host, description, version }: Pick<Subscription, 'id' | 'host' | 'description' | 'version'>,
  who: Who | undefined,
  changes: ActivityEntry['changes'] = [],
): Action[] {
  const subscription = { id, name: description ?? host, changes };
  const event = { action, at: new Date(), subject: id, number: version, subscription };
  return who === undefined ? [] : [record(account, event, who)];
}
