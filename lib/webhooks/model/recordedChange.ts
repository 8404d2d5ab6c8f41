import { record } from '../../activity/activityEntry.ts';
import type { Who } from '../../activity/author.ts';
import type { ActivityAction, ActivityEntry } from '../../contract/console/activity.ts';
import type { Action } from '../../dynamodb/transact.ts';
import type { Subscription } from './subscription.ts';

/**
 * Returns the actions that record a person's change of a subscription, with the version after it. Changes by a key are not recorded, because
 * the subscription stores the key.
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
