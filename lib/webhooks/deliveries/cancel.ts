import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import { type Delivery, positionOf } from '../model/delivery.ts';
import type { Subscription } from '../model/subscription.ts';

/** Ends a delivery whose subscription was deleted. */
export const cancel = (delivery: Delivery): Promise<void> => end(delivery, { status: 'cancelled' });

/**
 * Whether a delivery is sent again that another host had got: then it is not sent. One that no host has got goes to the present one.
 */
export const isForAnotherHost = (
  { host_position = 0 }: Pick<Subscription, 'host_position'>,
  delivery: Pick<Delivery, 'sk' | 'resent'>,
): boolean => delivery.resent === true && positionOf(delivery) < host_position;

/** Ends a delivery that was sent again, whose subscription has got another host since. */
export const endForAnotherHost = (delivery: Delivery): Promise<void> =>
  end(delivery, { status: 'failed', status_reason: 'other_host' });

async function end(
  { pk, sk }: Delivery,
  ending: Required<Pick<Delivery, 'status'>> & Pick<Delivery, 'status_reason'>,
): Promise<void> {
  const changes = updateOf({
    ...ending,
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
