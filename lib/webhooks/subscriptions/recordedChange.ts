import type { Who } from '../../activity/author.ts';
import { record } from '../../activity/entry.ts';
import type { ActivityAction } from '../../contract/console/activity.ts';
import type { Action } from '../../dynamodb/transact.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * The action that records a change by a person, with the version that it made. A change by a key has none: the subscription names the
 * key. Of the URL there is only the host, because the rest often is a credential.
 */
export const recordedChange = (
  account: string,
  action: Extract<ActivityAction, `subscription.${string}`>,
  { id, host, version }: Pick<Subscription, 'id' | 'host' | 'version'>,
  who: Who | undefined,
  changedFields: readonly string[] = [],
): Action[] =>
  who === undefined
    ? []
    : [
        record(
          account,
          {
            action,
            at: new Date(),
            subject: id,
            number: version,
            subscription: { id, host, changedFields: [...changedFields] },
          },
          who,
        ),
      ];
