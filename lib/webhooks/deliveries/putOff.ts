import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from './delivery.ts';
import type { Bell } from './deliveryQueue.ts';
import { type Lane, ring } from './deliveryQueue.ts';
import { waitUntil } from './rings.ts';
import { delaysSeconds, nextAttemptAt } from './schedule.ts';

/**
 * Puts a delivery off whose host refuses connections just now, as an attempt at another one has shown. No attempt was made, so
 * none is counted, and it has as many before it as it had. Each time it waits for longer, as if one had failed.
 */
export async function putOff(bell: Bell, lane: Lane, delivery: Delivery): Promise<void> {
  const { pk, sk, attempt_count, round_start, put_offs = 0, next_attempt_at } = delivery;
  const now = Date.now();
  const rounds = Math.min(attempt_count - round_start + put_offs + 1, delaysSeconds.length);
  const { delaySeconds, ...waits } = waitUntil(nextAttemptAt(rounds, now) as number, now);
  const changes = updateOf({ ...waits, put_offs: put_offs + 1 });
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ...changes,
        // Whoever has begun an attempt meanwhile, or asked for one, knows better.
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
  if (!refused && delaySeconds !== undefined) await ring([{ bell, lane, delaySeconds }]);
}
