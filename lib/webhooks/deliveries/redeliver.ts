import type { WebhookDelivery } from '../../contract/webhookDeliveries.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { type Answered, keepAnswer, keptAnswer, type Once } from '../../dynamodb/idempotency.ts';
import { transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { randomId } from '../../ids.ts';
import type { Access } from '../../keys/access.ts';
import { readSubscription } from '../subscriptions/readSubscriptions.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import { type Delivery, type Showable, showable, shownDelivery } from './delivery.ts';
import { ring } from './deliveryQueue.ts';
import { readDelivery } from './readDeliveries.ts';
import { asRead } from './rest.ts';
import { startOf } from './rings.ts';

/**
 * Sends the event of a delivery again, whatever became of it, with the same webhook-id; should that fail, with the whole
 * schedule before it. For a subscription that is not active it waits like any other.
 * @throws ApiError 404 when the account has no such subscription or delivery, 422 when it repeats another request
 */
export async function redeliver(
  account: string,
  subscription: string,
  id: string,
  { access, deadline, once }: { access: Access; deadline: number; once: Once | undefined },
): Promise<Answered<WebhookDelivery>> {
  const table = required(env.webhooksTable);
  const { body, replayed } = await untilCommitted(deadline, async () => {
    const kept = await keptAnswer<Showable>(table, account, once);
    if (kept) return kept;
    const to = await readSubscription(account, subscription);
    const current = await readDelivery(account, subscription, to, id);
    const next = onItsWay(account, to, current);
    // Whole, as the key that repeats the request may read less than this one, or more.
    const body = showable(next);
    const verdicts = await transact([
      writeIfAsRead(table, current, next),
      asRead(account, to),
      ...keepAnswer(table, account, once, body),
    ]);
    return verdicts ? undefined : { body, replayed: false };
  });
  const shown = shownDelivery(body, access);
  if (shown.next_attempt_at !== null)
    await ring([{ bell: { account, subscription_id: subscription, delivery_id: id }, lane: 'main' }]);
  return { body: shown, replayed };
}

const onItsWay = (account: string, to: Subscription, delivery: Delivery): Delivery => ({
  ...delivery,
  status: 'pending',
  round_start: delivery.attempt_count,
  put_offs: undefined,
  ...startOf(account, to, new Date()),
});

function writeIfAsRead(TableName: string, current: Delivery, next: Delivery) {
  const { status, round_start, put_offs, next_attempt_at, waiting, ring_at } = next;
  // An attempt under way keeps its claim: it began before this was asked for, so another follows when it has ended.
  const redelivery = randomId('red');
  const changes = updateOf({ status, round_start, put_offs, next_attempt_at, waiting, ring_at, redelivery });
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
