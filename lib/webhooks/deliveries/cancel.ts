import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import type { Delivery } from './delivery.ts';

/** Ends a delivery whose subscription was deleted. */
export async function cancel({ pk, sk }: Delivery): Promise<void> {
  const changes = updateOf({
    status: 'cancelled',
    next_attempt_at: undefined,
    due_partition: undefined,
    enqueue_at: undefined,
  });
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ...changes,
        ConditionExpression: '#status = :pending',
        ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':pending': 'pending' },
      }),
    ),
  );
}
