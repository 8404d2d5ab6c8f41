import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { dueAtSlot } from '../deliveries/slots.ts';
import type { DueEntry } from '../jobs/dueIndex.ts';
import { enqueue } from '../jobs/queue.ts';
import { ownerOf } from '../model/keys.ts';
import type { Speed } from '../model/subscription.ts';

/**
 * Releases held deliveries, each at its slot, with the whole retry schedule before it, or with the first steps of it after it was
 * parked.
 * @param startAt when the attempt of each may begin, in epoch milliseconds
 */
export async function release(
  held: readonly DueEntry[],
  startAt: readonly number[],
  queue: Speed,
): Promise<void> {
  for (let at = 0; at < held.length; at += writtenAtOnce) {
    const some = held.slice(at, at + writtenAtOnce);
    const released = await Promise.all(some.map((entry, i) => releaseAt(entry, startAt[at + i] as number)));
    await enqueue(released.flatMap((sent) => (sent ? [{ ...sent, queue }] : [])));
  }
}

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** @returns the message for its attempt; undefined when it is not held any more, or is due so late that the sweep sends one */
async function releaseAt(entry: DueEntry, startAt: number) {
  const now = Date.now();
  const { delaySeconds, ...due } = dueAtSlot(startAt, now);
  if (!(await releaseOne(entry, due, now)) || delaySeconds === undefined) return undefined;
  const { account, subscription } = ownerOf(entry.pk);
  const message = {
    kind: 'delivery' as const,
    account,
    subscription_id: subscription,
    delivery_id: entry.id as string,
  };
  return { message, delaySeconds };
}

/** @returns whether it was still held */
async function releaseOne(
  { pk, sk, due_partition }: DueEntry,
  due: Omit<ReturnType<typeof dueAtSlot>, 'delaySeconds'>,
  now: number,
): Promise<boolean> {
  const refused = await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        UpdateExpression:
          'SET due_partition = :due, enqueue_at = :again, next_attempt_at = :at, schedule_start = attempt_count, slots = :one, released_at = :now REMOVE postponements',
        ConditionExpression: 'due_partition = :held',
        ExpressionAttributeValues: {
          ':due': due.due_partition,
          ':again': due.enqueue_at,
          ':at': due.next_attempt_at,
          ':one': 1,
          ':now': new Date(now).toISOString(),
          ':held': due_partition,
        },
      }),
    ),
  );
  return refused === undefined;
}
