import { present } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { dueAtSlot } from '../deliveries/reschedule.ts';
import { released } from '../deliveries/transitions.ts';
import { type DueEntry, dueEntries } from '../jobs/dueIndex.ts';
import { endJob, type Job, type JobOwner, planRun } from '../jobs/jobs.ts';
import { deliveryMessage, enqueue, outgoing } from '../jobs/queue.ts';
import { heldPartition, subscriptionKey } from '../model/keys.ts';
import type { Speed, Subscription } from '../model/subscription.ts';
import { startPace } from '../pace/feedback.ts';
import { slotsBefore } from '../pace/gcra.ts';
import { type PaceItem, rateOf, readPace, reserve } from '../pace/paceItem.ts';

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
  const step = subscription
    ? await releasePaced(account, subscription, job)
    : await releaseDeleted(account, id);
  if (step === 'waits') return planRun(job, new Date(Date.now() + waitMs), job.runs);
  if (step === 'last') return finishRun(job);
  const next = { kind: job.sk, account, subscription_id: id, due: job.enqueue_at };
  await enqueue([outgoing(next, nextStepSeconds)]);
}

/** What follows a step: another one at once; or one later, because the receiver is down; or none, because nothing is held any more. */
type Step = 'more' | 'waits' | 'last';

async function releasePaced(account: string, subscription: Subscription, job: Job): Promise<Step> {
  const isFirst = job.begun_at === job.enqueue_at;
  const known = isFirst ? await startPace(account, subscription) : await readPace(account, subscription);
  const waits = (known.overloads ?? 0) >= overloadsMax;
  const wanted = waits ? 1 : countFor(subscription, known);
  const held = await oldestHeld(account, subscription.id, wanted);
  // A few are not a drain: live deliveries need not slow down for them.
  const recovers = held.length >= wanted && held.length > 0;
  if (recovers !== (subscription.recovering_since !== undefined))
    await noteRecovering(account, subscription, recovers);
  if (held.length === 0) return 'last';
  const slots = await reserve(account, subscription, { count: held.length, isDraining: true, known });
  await release(held, slots, subscription.speed ?? 'slow');
  log.info('held deliveries were released', {
    account,
    subscription: subscription.id,
    ...counts('deliveries_released', held.length),
  });
  return waits ? 'waits' : 'more';
}

function countFor(subscription: Subscription, known: PaceItem): number {
  const now = Date.now();
  const rate = rateOf(subscription, true, known);
  return Math.min(releasedMax, slotsBefore(now + aheadMs, known.arrival, now, rate));
}

async function releaseDeleted(account: string, subscription: string): Promise<Step> {
  const held = await oldestHeld(account, subscription, releasedMax);
  const now = Date.now();
  await release(
    held,
    held.map(() => now),
    'slow',
  );
  return held.length === 0 ? 'last' : 'more';
}

/** The held deliveries of a subscription, oldest first. */
export async function oldestHeld(account: string, subscription: string, count: number): Promise<DueEntry[]> {
  const { value } = await dueEntries(heldPartition(account, subscription), { pageSize: count }).next();
  return value ?? [];
}

/** While a subscription recovers, its live deliveries keep the pace of the drain, too. */
async function noteRecovering(account: string, { id }: Subscription, recovers: boolean): Promise<void> {
  const recovering_since = recovers ? new Date().toISOString() : undefined;
  await write(webhooks.update(subscriptionKey(account, id), { recovering_since }, { if: { pk: present } }));
}

/** Plans the next run of a job that has nothing left to release, or ends it after the last one. */
async function finishRun(job: Job): Promise<void> {
  const minutes = runsAfter[job.runs];
  if (minutes === undefined) await endJob(job);
  else await planRun(job, new Date(Date.now() + minutes * 60_000), job.runs + 1);
}

/**
 * Releases held deliveries, each at its slot, with the whole retry schedule before it, or with the first steps of it after it was
 * parked.
 * @param startAt when the attempt of each may begin, in epoch milliseconds
 */
async function release(held: readonly DueEntry[], startAt: readonly number[], queue: Speed): Promise<void> {
  for (let at = 0; at < held.length; at += writtenAtOnce) {
    const some = held.slice(at, at + writtenAtOnce);
    const sent = await Promise.all(some.map((entry, i) => releaseAt(entry, startAt[at + i] as number)));
    await enqueue(sent.flatMap((one) => (one ? [{ ...one, queue }] : [])));
  }
}

/** Many more writes at the same time would wait for connections. */
const writtenAtOnce = 20;

/** @returns the message for its attempt; undefined when it is not held any more, or is due so late that the sweep sends one */
async function releaseAt(entry: DueEntry, startAt: number) {
  const now = Date.now();
  const { delaySeconds, ...due } = dueAtSlot(startAt, now);
  const { committed } = await write(released(entry, due, now));
  if (!committed || delaySeconds === undefined) return undefined;
  return { message: deliveryMessage({ pk: entry.pk, id: entry.id as string }), delaySeconds };
}
