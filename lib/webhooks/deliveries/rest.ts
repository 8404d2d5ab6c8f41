import { updateOf } from '../../dynamodb/expressions.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { restOf, subscriptionKey } from '../keys.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Delivery } from './delivery.ts';

/** Lets a transaction commit only while a subscription is what it was when it was read. */
export const asRead = (account: string, { id, version }: Subscription): Action => ({
  ConditionCheck: {
    TableName: required(env.webhooksTable),
    Key: subscriptionKey(account, id),
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  },
});

/**
 * Puts a delivery to rest until its subscription is active again, or its account is not suspended any more. Only while that
 * is so: whoever makes an end of it wakes up what rests by then, and nothing after that.
 * @param reason lets a transaction commit only while there is a reason to rest
 * @returns whether it rests; not when the reason has gone since it was read
 */
export async function rest(
  reason: Action,
  account: string,
  { id }: Pick<Subscription, 'id'>,
  delivery: Delivery,
): Promise<boolean> {
  const TableName = required(env.webhooksTable);
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf({
    waiting: restOf(account, id),
    next_attempt_at: undefined,
  });
  const verdicts = await transact([
    reason,
    {
      Update: {
        TableName,
        Key: { pk: delivery.pk, sk: delivery.sk },
        UpdateExpression,
        ConditionExpression: '#status = :pending AND attempt_count = :attempts',
        ExpressionAttributeNames: { ...ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':pending': 'pending',
          ':attempts': delivery.attempt_count,
        },
      },
    },
  ]);
  return !verdicts;
}
