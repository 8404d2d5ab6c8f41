import type { Who } from '../../activity/author.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { plus } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { recordedChange } from '../model/recordedChange.ts';
import { expiryOfLogged } from '../model/subscription.ts';
import { readSubscription } from '../model/subscriptions.ts';
import { countKey, deletedSubscriptionKey, secretsKey, subscriptionKey } from '../model/webhookKeys.ts';
import { freeUrl } from './actions.ts';

/**
 * Deletes a subscription. After that, nothing is sent. Its log shows its pending deliveries as cancelled, and stays readable until it expires.
 * @param who the person who deletes it, for the activity log
 * @throws ApiError 404 if the account has no such subscription
 */
export async function deleteSubscription(
  account: string,
  id: string,
  deadline: number,
  who?: Who,
): Promise<void> {
  await untilCommitted(deadline, async () => {
    const { url, host, description, version, logged } = await readSubscription(account, id);
    const ttl = expiryOfLogged(new Date());
    const { committed } = await transact([
      webhooks.delete(subscriptionKey(account, id), { if: { 'logged.count': logged.count, version } }),
      webhooks.delete(secretsKey(account, id)),
      freeUrl(account, url),
      webhooks.put({ ...deletedSubscriptionKey(account, id), id, logged, deleted: true, ttl }),
      webhooks.update(countKey(account), { count: plus(-1) }),
      ...recordedChange(
        account,
        'subscription.deleted',
        { id, host, description, version: version + 1 },
        who,
      ),
    ]);
    return committed ? { deleted: true } : undefined;
  });
}
