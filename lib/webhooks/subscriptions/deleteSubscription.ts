import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Who } from '../../trail/author.ts';
import { putRelease } from '../jobs/jobs.ts';
import { expiryOfLogged } from '../model/kept.ts';
import { countKey, deletedKey, secretsKey, subscriptionKey } from '../model/keys.ts';
import { readSubscription } from '../model/readSubscriptions.ts';
import { freeUrl } from '../model/urls.ts';
import { recordedChange } from './recordedChange.ts';

/**
 * Deletes a subscription. Nothing is sent any more, its pending deliveries are cancelled, and its log can be read until it expires.
 * @param who the person who does it, and is recorded
 * @throws ApiError 404 when the account has no such subscription
 */
export async function deleteSubscription(
  account: string,
  id: string,
  deadline: number,
  who?: Who,
): Promise<void> {
  const TableName = required(env.webhooksTable);
  await untilCommitted(deadline, async () => {
    const { url, host, version, log_count, log_days } = await readSubscription(account, id);
    const verdicts = await transact([
      {
        Delete: {
          TableName,
          Key: subscriptionKey(account, id),
          ConditionExpression: 'log_count = :count AND #version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':count': log_count, ':version': version },
        },
      },
      { Delete: { TableName, Key: secretsKey(account, id) } },
      freeUrl(account, url),
      {
        Put: {
          TableName,
          Item: {
            ...deletedKey(account, id),
            id,
            log_count,
            log_days,
            deleted: true,
            ttl: expiryOfLogged(new Date()),
          },
        },
      },
      {
        Update: {
          TableName,
          Key: countKey(account),
          UpdateExpression: 'ADD #count :less',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':less': -1 },
        },
      },
      ...putRelease(account, id),
      ...recordedChange(account, 'subscription.deleted', { id, host, version: version + 1 }, who),
    ]);
    return verdicts ? undefined : { deleted: true };
  });
}
