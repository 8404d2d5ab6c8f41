import { updateOf } from '../dynamodb/expressions.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import type { Delivery } from './delivery.ts';
import { restOf, subscriptionKey } from './keys.ts';
import type { Subscription } from './subscription.ts';

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
 * Puts a delivery to rest until its subscription is active again. Only while it is not: whoever makes it active wakes up
 * what rests by then, and nothing after that.
 * @returns whether it rests; not when the subscription has changed since it was read
 */
export async function rest(
  account: string,
  subscription: Subscription,
  delivery: Delivery,
): Promise<boolean> {
  const TableName = required(env.webhooksTable);
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf({
    waiting: restOf(account, subscription.id),
    next_attempt_at: undefined,
  });
  const verdicts = await transact([
    asRead(account, subscription),
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
