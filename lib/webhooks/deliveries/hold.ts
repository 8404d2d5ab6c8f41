import { updateOf } from '../../dynamodb/expressions.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from '../model/delivery.ts';
import { heldPartition } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * Holds a delivery until its subscription is active again, or its account is resumed. The transaction that ends the reason
 * starts a release, so no delivery may be held after it: it would not be released.
 * @param reason lets a transaction commit only while there is a reason to hold the delivery
 * @returns whether it is held; false when the reason has gone since it was read
 */
export async function hold(
  reason: Action,
  account: string,
  { id }: Pick<Subscription, 'id'>,
  delivery: Delivery,
): Promise<boolean> {
  const TableName = required(env.webhooksTable);
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = updateOf({
    due_partition: heldPartition(account, id),
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
