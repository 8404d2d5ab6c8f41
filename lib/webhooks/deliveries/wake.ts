import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { anyDueShard, restOf, wakeKey } from '../keys.ts';
import { ring } from './deliveryQueue.ts';
import { ringAgainAt } from './rings.ts';
import { type Waiting, waitingIn } from './waiting.ts';

/**
 * Orders that the deliveries which rest are woken up. Part of the transaction that makes a subscription active again, or
 * deletes it: nobody puts a delivery to rest after that. `ring_at` is when to carry it out, `looks` how often it has been.
 */
export const orderToWake = (account: string, subscription: string): Action => ({
  Put: {
    TableName: required(env.webhooksTable),
    Item: {
      ...wakeKey(account, subscription),
      waiting: anyDueShard(),
      ring_at: new Date().toISOString(),
      looks: 0,
    },
  },
});

/** The index learns of what went to rest just before the order a little later, so the order is carried out again. In minutes. */
const looksAfter = [1, 5, 15, 60];

/**
 * Carries out an order to wake up. Every delivery that rests is due now, with the whole schedule before it.
 * @param deadline epoch milliseconds; what is left then, the next sweep does
 */
export async function wakeUp(
  account: string,
  subscription: string,
  order: Waiting,
  deadline: number,
): Promise<void> {
  for await (const resting of waitingIn(restOf(account, subscription), { pageSize: wokenAtOnce })) {
    const woken = await Promise.all(resting.map(wake));
    const awake = resting.filter((_, i) => woken[i]);
    await ring(
      awake.map(({ id }) => ({
        bell: { account, subscription_id: subscription, delivery_id: id as string },
        lane: 'main',
      })),
    );
    if (Date.now() > deadline) return;
  }
  await finish(order);
}

const wokenAtOnce = 50;

/** @returns whether it still rested */
async function wake({ pk, sk, waiting }: Waiting): Promise<boolean> {
  const now = new Date();
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        UpdateExpression:
          'SET waiting = :due, ring_at = :again, next_attempt_at = :now, round_start = attempt_count REMOVE put_offs',
        ConditionExpression: 'waiting = :rest',
        ExpressionAttributeValues: {
          ':due': anyDueShard(),
          ':again': ringAgainAt(now),
          ':now': now.toISOString(),
          ':rest': waiting,
        },
      }),
    ),
  );
  return refused === undefined;
}

/** Puts the order off to its next look, or deletes it after the last; unless there is a newer order by then. */
async function finish({ pk, sk, ring_at, looks = 0 }: Waiting): Promise<void> {
  const minutes = looksAfter[looks];
  const same = {
    TableName: required(env.webhooksTable),
    Key: { pk, sk },
    ConditionExpression: 'ring_at = :read',
  };
  await writeIf(() =>
    minutes === undefined
      ? dynamodb().send(new DeleteCommand({ ...same, ExpressionAttributeValues: { ':read': ring_at } }))
      : dynamodb().send(
          new UpdateCommand({
            ...same,
            UpdateExpression: 'SET ring_at = :next, looks = :looks',
            ExpressionAttributeValues: {
              ':read': ring_at,
              ':next': new Date(Date.now() + minutes * 60_000).toISOString(),
              ':looks': looks + 1,
            },
          }),
        ),
  );
}
