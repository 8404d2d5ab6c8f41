import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import type { Action } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { anyDueShard, heldPartition, releaseKey } from '../keys.ts';
import { enqueue } from './deliveryQueue.ts';
import { type DueEntry, dueEntries } from './dueIndex.ts';
import { enqueueAgainAt } from './dueTimes.ts';

/**
 * Orders the release of a subscription's held deliveries. Part of the transaction that makes the subscription active again,
 * or deletes it: no delivery is held after that. `enqueue_at` is when the order runs next, `runs` how often it has run.
 */
export const releaseOrder = (account: string, subscription: string): Action => ({
  Put: {
    TableName: required(env.webhooksTable),
    Item: {
      ...releaseKey(account, subscription),
      due_partition: anyDueShard(),
      enqueue_at: new Date().toISOString(),
      runs: 0,
    },
  },
});

/** An index is eventually consistent: it may show a held delivery only after the first run. So the order runs again. In minutes. */
const runsAfter = [1, 5, 15, 60];

/**
 * Runs a release order. Every held delivery is due now, with the whole retry schedule before it.
 * @param deadline epoch milliseconds; the next sweep releases what is left then
 */
export async function releaseHeld(
  account: string,
  subscription: string,
  order: DueEntry,
  deadline: number,
): Promise<void> {
  for await (const held of dueEntries(heldPartition(account, subscription), { pageSize: releasedAtOnce })) {
    const isReleased = await Promise.all(held.map(release));
    const released = held.filter((_, i) => isReleased[i]);
    await enqueue(
      released.map(({ id }) => ({
        message: { account, subscription_id: subscription, delivery_id: id as string },
        queue: 'quick',
      })),
    );
    if (Date.now() > deadline) return;
  }
  await finishRun(order);
}

const releasedAtOnce = 50;

/** @returns whether it was still held */
async function release({ pk, sk, due_partition }: DueEntry): Promise<boolean> {
  const now = new Date();
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        UpdateExpression:
          'SET due_partition = :due, enqueue_at = :again, next_attempt_at = :now, schedule_start = attempt_count REMOVE postponements',
        ConditionExpression: 'due_partition = :held',
        ExpressionAttributeValues: {
          ':due': anyDueShard(),
          ':again': enqueueAgainAt(now),
          ':now': now.toISOString(),
          ':held': due_partition,
        },
      }),
    ),
  );
  return refused === undefined;
}

/** Plans the next run of the order, or deletes it after the last one; unless a newer order has replaced it. */
async function finishRun({ pk, sk, enqueue_at, runs = 0 }: DueEntry): Promise<void> {
  const minutes = runsAfter[runs];
  const same = {
    TableName: required(env.webhooksTable),
    Key: { pk, sk },
    ConditionExpression: 'enqueue_at = :read',
  };
  await writeIf(() =>
    minutes === undefined
      ? dynamodb().send(new DeleteCommand({ ...same, ExpressionAttributeValues: { ':read': enqueue_at } }))
      : dynamodb().send(
          new UpdateCommand({
            ...same,
            UpdateExpression: 'SET enqueue_at = :next, runs = :runs',
            ExpressionAttributeValues: {
              ':read': enqueue_at,
              ':next': new Date(Date.now() + minutes * 60_000).toISOString(),
              ':runs': runs + 1,
            },
          }),
        ),
  );
}
