import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from '../model/delivery.ts';

/**
 * Writes another time for the next attempt of a delivery. An attempt or a redelivery that has begun since it was read sets a time
 * itself.
 * @returns whether the time was written
 */
export async function reschedule(
  { pk, sk, attempt_count, next_attempt_at }: Delivery,
  change: Partial<Delivery>,
  now: number,
): Promise<boolean> {
  const changes = updateOf(change);
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ...changes,
        ConditionExpression:
          '#status = :pending AND attempt_count = :attempts AND #next_attempt_at = :read AND (attribute_not_exists(claimed_until) OR claimed_until < :now)',
        ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...changes.ExpressionAttributeValues,
          ':pending': 'pending',
          ':attempts': attempt_count,
          ':read': next_attempt_at,
          ':now': new Date(now).toISOString(),
        },
      }),
    ),
  );
  return refused === undefined;
}
