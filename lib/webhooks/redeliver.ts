import type { WebhookDelivery } from '../contract/webhookDeliveries.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import { updateOf } from '../dynamodb/expressions.ts';
import { keepAnswer, keptAnswer, type Once } from '../dynamodb/idempotency.ts';
import { transact } from '../dynamodb/transact.ts';
import { env, required } from '../env.ts';
import { randomId } from '../ids.ts';
import type { Access } from '../keys/access.ts';
import { type Delivery, shownDelivery } from './delivery.ts';
import { ring } from './doorbell.ts';
import { readDelivery } from './readDeliveries.ts';
import { readSubscription } from './readSubscriptions.ts';
import { asRead } from './rest.ts';
import { startOf } from './rings.ts';
import type { Subscription } from './subscription.ts';

/** A delivery that is on its way once more, by this request or by the one that it repeats. */
export interface Redelivered {
  delivery: WebhookDelivery;
  replayed: boolean;
}

/**
 * Sends the event of a delivery again, whatever became of it, with the same webhook-id; should that fail, with the whole
 * schedule before it. For a subscription that is not active it waits like any other.
 * @throws ApiError 404 when the account has no such subscription or delivery, 422 when the request it repeats had another body
 */
export async function redeliver(
  account: string,
  subscription: string,
  id: string,
  { access, deadline, once }: { access: Access; deadline: number; once: Once | undefined },
): Promise<Redelivered> {
  const table = required(env.webhooksTable);
  const redelivered = await untilCommitted<Redelivered>(deadline, async () => {
    const kept = once && (await keptAnswer<WebhookDelivery>(table, account, once));
    if (kept) return { delivery: kept, replayed: true };
    const to = await readSubscription(account, subscription);
    const current = await readDelivery(account, subscription, id);
    const next = onItsWay(account, to, current);
    const delivery = shownDelivery(next, access);
    const verdicts = await transact([
      writeIfAsRead(table, current, next),
      asRead(account, to),
      ...(once ? [keepAnswer(table, account, once, delivery)] : []),
    ]);
    return verdicts ? undefined : { delivery, replayed: false };
  });
  if (redelivered.delivery.next_attempt_at !== null)
    await ring([{ bell: { account, subscription_id: subscription, delivery_id: id }, lane: 'main' }]);
  return redelivered;
}

const onItsWay = (account: string, to: Subscription, delivery: Delivery): Delivery => ({
  ...delivery,
  status: 'pending',
  round_start: delivery.attempt_count,
  ...startOf(account, to, new Date()),
});

function writeIfAsRead(TableName: string, current: Delivery, next: Delivery) {
  const { status, round_start, next_attempt_at, waiting, ring_at } = next;
  // An attempt under way keeps its claim: it began before this was asked for, so another follows when it has ended.
  const redelivery = randomId('red');
  const changes = updateOf({ status, round_start, next_attempt_at, waiting, ring_at, redelivery });
  return {
    Update: {
      TableName,
      Key: { pk: current.pk, sk: current.sk },
      ...changes,
      ConditionExpression: 'attempt_count = :attempts AND #status = :read',
      ExpressionAttributeValues: {
        ...changes.ExpressionAttributeValues,
        ':attempts': current.attempt_count,
        ':read': current.status,
      },
    },
  };
}
