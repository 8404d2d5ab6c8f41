import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { overdue } from '../../metrics.ts';
import { dueShards, ownerOf } from '../keys.ts';
import { type Ring, ring } from './deliveryQueue.ts';
import { type Waiting, waitingIn } from './waiting.ts';
import { wakeUp } from './wake.ts';

/** A message may wait in a long queue; only after so long it is taken for lost. */
const patienceMs = 15 * 60_000;

/** In each shard: three full batches of bells. A burst of many more calls would wait for connections until they time out. */
const lookedAtOnce = 30;

/**
 * Rings for everything that is due: for attempts whose time has come, and for those that a lost message or a crash has
 * left behind. Also wakes up what rests for a subscription that is active again.
 * @param deadline epoch milliseconds; what is left then, the next sweep does
 */
export async function sweep(deadline: number): Promise<void> {
  const results = await Promise.allSettled(dueShards.map((shard) => sweepShard(shard, deadline)));
  const swept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const rung = swept.reduce((sum, one) => sum + one.rung, 0);
  // Of what could not be read nobody knows how late it is: to say that nothing is would be an all-clear.
  if (swept.length < results.length) log.warn('swept in part', { rung });
  else log.info('swept', { rung, ...overdue(Math.max(0, ...swept.map(({ lateMs }) => lateMs))) });
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** What a sweep found in a shard: how many bells it rang, and how late the latest of what is due is. */
interface Swept {
  rung: number;
  lateMs: number;
}

async function sweepShard(shard: string, deadline: number): Promise<Swept> {
  const now = Date.now();
  const orders: Waiting[] = [];
  const swept: Swept = { rung: 0, lateMs: 0 };
  const until = new Date(now).toISOString();
  for await (const due of waitingIn(shard, { pageSize: lookedAtOnce, until })) {
    const late = due.map(({ next_attempt_at = until }) => now - Date.parse(next_attempt_at));
    swept.lateMs = Math.max(swept.lateMs, ...late);
    swept.rung += await ringFor(due.filter(({ id }) => id !== undefined));
    orders.push(...due.filter(({ id }) => id === undefined));
    if (Date.now() > deadline) break;
  }
  // Last, because an order can be about ten thousands.
  for (const order of orders) await carryOut(order, deadline);
  return swept;
}

/** Rings first and notes it then: what stops in between, or cannot be noted, rings once more, and never once less. */
async function ringFor(due: readonly Waiting[]): Promise<number> {
  const byRing = new Map(due.map((item) => [ringOf(item), item]));
  const rung = await ring([...byRing.keys()]);
  const noted = await Promise.allSettled(rung.map((one) => postpone(byRing.get(one) as Waiting)));
  const failed = noted.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) log.warn('some bells were rung and not noted', { count: failed.length });
  return rung.length;
}

function ringOf({ pk, id }: Waiting): Ring {
  const { account, subscription } = ownerOf(pk);
  return { bell: { account, subscription_id: subscription, delivery_id: id as string }, lane: 'main' };
}

/** Unless an attempt has begun, or been made, meanwhile. */
async function postpone({ pk, sk, ring_at }: Waiting): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: { pk, sk },
        UpdateExpression: 'SET ring_at = :later',
        ConditionExpression: 'ring_at = :read',
        ExpressionAttributeValues: {
          ':later': new Date(Date.now() + patienceMs).toISOString(),
          ':read': ring_at,
        },
      }),
    ),
  );
}

/** An order that cannot be carried out must not keep the others from it; it stays, and the next sweep tries again. */
async function carryOut(order: Waiting, deadline: number): Promise<void> {
  const { account, subscription } = ownerOf(order.pk);
  try {
    await wakeUp(account, subscription, order, deadline);
  } catch (error) {
    log.error('deliveries were not woken up', { account, subscription, error: describeError(error) });
  }
}
