import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryMessage, type DeliveryQueue, enqueue } from './deliveryQueue.ts';
import { dueAt } from './dueTimes.ts';
import { delaysSeconds, nextAttemptAt } from './schedule.ts';

/**
 * Postpones a delivery whose host refuses connections, as an attempt of another delivery has shown. No attempt was made, so
 * none is counted, and as many attempts as before are left. Each postponement is longer, as if an attempt had failed.
 */
export async function postpone(
  message: DeliveryMessage,
  queue: DeliveryQueue,
  delivery: Delivery,
): Promise<void> {
  const { pk, sk, attempt_count, schedule_start, postponements = 0, next_attempt_at } = delivery;
  const now = Date.now();
  const tries = Math.min(attempt_count - schedule_start + postponements + 1, delaysSeconds.length);
  const { delaySeconds, ...due } = dueAt(nextAttemptAt(tries, now) as number, now);
  const changes = updateOf({ ...due, postponements: postponements + 1 });
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ...changes,
        // An attempt or a redelivery that has begun since then sets another time.
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
  if (!refused && delaySeconds !== undefined) await enqueue([{ message, queue, delaySeconds }]);
}
