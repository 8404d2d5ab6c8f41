import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { writeIf } from '../../dynamodb/conflicts.ts';
import { env, required } from '../../env.ts';
import { log } from '../../log.ts';
import { recovered } from '../../metrics.ts';
import { type DueEntry, dueEntries } from '../jobs/dueIndex.ts';
import { endJob, type Job, type JobOwner, planRun } from '../jobs/jobs.ts';
import { enqueue, outgoing } from '../jobs/queue.ts';
import { heldPartition, subscriptionKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { startPace } from '../pace/feedback.ts';
import { slotsBefore } from '../pace/gcra.ts';
import { type PaceItem, rateOf, readPace, reserve } from '../pace/paceItem.ts';
import { release } from './release.ts';

/** How far ahead a step releases what may be sent. The next step comes after half of it, so that the pace never stops. */
const aheadMs = 2000;
const nextStepSeconds = 1;

/** The most deliveries of a step. */
const releasedMax = 200;

/** After this many overloads in a row the receiver is down again. Then one delivery tries it in this time. */
const overloadsMax = 5;
const waitMs = 5 * 60_000;

/** An index is eventually consistent: it may show a held delivery only after the last step. So the job runs again. In minutes. */
const runsAfter = [1, 5, 15, 60];

/**
 * One step of a drain: releases the oldest held deliveries, as many as its receiver may get in the next seconds, and sends the
 * message for the next step. So a drain is paced, and takes no place from others: nothing waits in a function.
 */
export async function drain(job: Job, { account, id, subscription, suspended }: JobOwner): Promise<void> {
  // Deliveries of a deleted subscription are released to be cancelled.
  if (subscription && (subscription.status !== 'active' || suspended)) return endJob(job);
  const isLast = subscription
    ? await releasePaced(account, subscription, job)
    : await releaseDeleted(account, id);
  if (isLast === 'waits') return planRun(job, new Date(Date.now() + waitMs), job.runs);
  if (isLast) return finishRun(job);
  const next = { kind: job.sk, account, subscription_id: id, due: job.enqueue_at };
  await enqueue([outgoing(next, nextStepSeconds)]);
}

/** @returns whether nothing is held any more; or that the receiver is down */
async function releasePaced(
  account: string,
  subscription: Subscription,
  job: Job,
): Promise<boolean | 'waits'> {
  const isFirst = job.begun_at === job.enqueue_at;
  const known = isFirst ? await startPace(account, subscription) : await readPace(account, subscription);
  const waits = (known.overloads ?? 0) >= overloadsMax;
  const wanted = waits ? 1 : countFor(subscription, known);
  const held = await oldestHeld(account, subscription.id, wanted);
  // A few are not a drain: live deliveries need not slow down for them.
  const recovers = held.length >= wanted && held.length > 0;
  if (recovers !== (subscription.recovering_since !== undefined))
    await noteRecovering(account, subscription, recovers);
  if (held.length === 0) return true;
  const slots = await reserve(account, subscription, { count: held.length, isDraining: true, known });
  await release(held, slots, subscription.speed ?? 'slow');
  log.info('held deliveries were released', {
    account,
    subscription: subscription.id,
    ...recovered('deliveries_released', held.length),
  });
  return waits ? 'waits' : false;
}

function countFor(subscription: Subscription, known: PaceItem): number {
  const now = Date.now();
  const rate = rateOf(subscription, true, known);
  return Math.min(releasedMax, slotsBefore(now + aheadMs, known.arrival, now, rate));
}

async function releaseDeleted(account: string, subscription: string): Promise<boolean> {
  const held = await oldestHeld(account, subscription, releasedMax);
  const now = Date.now();
  await release(
    held,
    held.map(() => now),
    'slow',
  );
  return held.length === 0;
}

/** The held deliveries of a subscription, oldest first. */
export async function oldestHeld(account: string, subscription: string, count: number): Promise<DueEntry[]> {
  const { value } = await dueEntries(heldPartition(account, subscription), { pageSize: count }).next();
  return value ?? [];
}

/** While a subscription recovers, its live deliveries keep the pace of the drain, too. */
async function noteRecovering(account: string, { id }: Subscription, recovers: boolean): Promise<void> {
  await writeIf(() =>
    dynamodb().send(
      new UpdateCommand({
        TableName: required(env.webhooksTable),
        Key: subscriptionKey(account, id),
        ...(recovers
          ? {
              UpdateExpression: 'SET recovering_since = :now',
              ExpressionAttributeValues: { ':now': new Date().toISOString() },
            }
          : { UpdateExpression: 'REMOVE recovering_since' }),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    ),
  );
}

/** Plans the next run of a job that has nothing left to release, or ends it after the last one. */
async function finishRun(job: Job): Promise<void> {
  const minutes = runsAfter[job.runs];
  if (minutes === undefined) await endJob(job);
  else await planRun(job, new Date(Date.now() + minutes * 60_000), job.runs + 1);
}
