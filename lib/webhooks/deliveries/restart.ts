import { updateOf } from '../../dynamodb/expressions.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { firstDue } from '../jobs/dueTimes.ts';
import type { Delivery } from '../model/delivery.ts';
import type { Subscription } from '../model/subscription.ts';

/**
 * Restarts a delivery: its event is sent again, with the whole retry schedule. The transaction must also require that the
 * subscription is unchanged, because a delivery to one that is not active is held.
 * @param redelivery the id of the redelivery that asks for it
 * @returns the delivery after it, and the write, on the condition that the delivery is as it was read
 */
export function restart(
  account: string,
  to: Subscription,
  delivery: Delivery,
  redelivery: string,
): { next: Delivery; action: Action } {
  const changed = {
    status: 'pending' as const,
    status_reason: undefined,
    schedule_start: delivery.attempt_count,
    postponements: undefined,
    slots: undefined,
    parked: undefined,
    strikes: undefined,
    ...firstDue(account, to, new Date()),
    // An attempt that is under way keeps its claim. It began before this request, so another attempt follows it.
    redelivery,
    resent: delivery.status === 'pending' ? delivery.resent : (true as const),
  };
  const changes = updateOf(changed);
  const action = {
    Update: {
      TableName: required(env.webhooksTable),
      Key: { pk: delivery.pk, sk: delivery.sk },
      ...changes,
      ConditionExpression: 'attempt_count = :attempts AND #status = :read',
      ExpressionAttributeValues: {
        ...changes.ExpressionAttributeValues,
        ':attempts': delivery.attempt_count,
        ':read': delivery.status,
      },
    },
  };
  return { next: { ...delivery, ...changed }, action };
}
