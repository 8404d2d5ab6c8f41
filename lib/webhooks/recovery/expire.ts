import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { updateOf } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import { log } from '../../log.ts';
import { recovered } from '../../metrics.ts';
import { type DueEntry, dueEntries } from '../jobs/dueIndex.ts';
import { firstWaiting } from '../model/kept.ts';
import { heldPartition } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';

// A delivery is held for thirty days. Then it has failed, and its log shows that for some days more.

/** The most deliveries of one run. */
const expiredMax = 1000;

const readAtOnce = 1000;

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** Gives up the held deliveries of a subscription that have waited for thirty days. @returns whether there may be more */
export async function expireHeld(account: string, subscription: Subscription): Promise<boolean> {
  const before = firstWaiting(subscription);
  if (before === 0) return false;
  const old = await heldBefore(heldPartition(account, subscription.id), before);
  if (old.length === 0) return false;
  let expired = 0;
  for (let at = 0; at < old.length; at += writtenAtOnce) {
    const done = await Promise.all(old.slice(at, at + writtenAtOnce).map(expire));
    expired += done.filter(Boolean).length;
  }
  log.warn('held deliveries were given up', {
    account,
    subscription: subscription.id,
    ...recovered('deliveries_expired', expired),
  });
  return old.length === expiredMax;
}

/** Their order is that in which they were held, so they may be anywhere among the others. @param before a position in the log */
async function heldBefore(partition: string, before: number): Promise<DueEntry[]> {
  const old: DueEntry[] = [];
  for await (const entries of dueEntries(partition, { pageSize: readAtOnce })) {
    old.push(...entries.filter(({ sk }) => Number(sk) < before));
    if (old.length >= expiredMax) break;
  }
  return old.slice(0, expiredMax);
}

/** Fails a delivery that is still held. One that is being tried is left to the next run. @returns whether it has failed */
async function expire({ pk, sk, due_partition }: DueEntry): Promise<boolean> {
  const changes = updateOf({
    status: 'failed',
    status_reason: 'expired',
    due_partition: undefined,
    enqueue_at: undefined,
  });
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        ...changes,
        ConditionExpression:
          '#due_partition = :held AND (attribute_not_exists(claimed_until) OR claimed_until < :now)',
        ExpressionAttributeValues: {
          ...changes.ExpressionAttributeValues,
          ':held': due_partition,
          ':now': new Date().toISOString(),
        },
      }),
    ),
  );
  return refused === undefined;
}
