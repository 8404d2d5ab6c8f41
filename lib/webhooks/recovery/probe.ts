import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { readItems } from '../../dynamodb/tableHandle.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { probeFailed } from '../../logs/metrics.ts';
import { type DueDelivery, makeAttempt } from '../deliveries/makeAttempt.ts';
import { failedForOtherHost } from '../deliveries/transitions.ts';
import type { Job, JobOwner } from '../jobs/jobs.ts';
import { betweenMs, endJob, planRun } from '../jobs/jobs.ts';
import type { Outcome } from '../model/attempt.ts';
import type { Delivery } from '../model/delivery.ts';
import { isForAnotherHost } from '../model/delivery.ts';
import { ownerOf, secretsKey, subscriptionKey } from '../model/keys.ts';
import type { Secrets } from '../model/secrets.ts';
import type { Subscription } from '../model/subscription.ts';
import { oldestHeld } from './drain.ts';
import { expireHeld } from './expire.ts';

const minuteMs = 60_000;

/** While nothing is held, a look costs two reads, and the first event is soon tried. */
const nothingHeldMs = 15 * minuteMs;

/** What is held on purpose is only given up in the end. */
const heldMs = 24 * 60 * minuteMs;

/** Whether deliveries of a subscription are held for any reason. */
const holds = ({ status, parked_since }: Subscription): boolean =>
  status !== 'active' || parked_since !== undefined;

/** Whether a subscription has held deliveries that no owner has asked to hold. */
const isProbed = ({ status, parked_since }: Subscription): boolean =>
  status === 'suspended' || (status === 'active' && parked_since !== undefined);

/**
 * Gives up what was held for too long, and tries a receiver with the oldest held delivery. A success makes its subscription active;
 * after a failure the delivery is held as before, and the next probe tries another one, because the delivery may be at fault. The
 * receiver of a subscription that is paused or disabled, or whose account is suspended, is not tried.
 */
export async function probe(
  job: Job,
  { account, readAt, subscription, suspended }: JobOwner,
  reads: GatheredReads,
): Promise<void> {
  if (!subscription || !(suspended || holds(subscription))) return endJob(job);
  const isMoreExpired = await expireHeld(account, subscription);
  if (isMoreExpired) return planRun(job, new Date(), job.runs);
  if (!isProbed(subscription)) return planRun(job, new Date(Date.now() + heldMs), job.runs);
  const delivery = suspended ? undefined : await readOldest(account, subscription.id);
  const outcome = delivery && (await attempt({ account, readAt, subscription, delivery }, reads));
  // The transaction of the success has deleted the job. If it failed, the sweep repeats the probe.
  if (outcome === 'success') return;
  if (outcome === undefined) return plan(account, job, nothingHeldMs, job.runs);
  logFailure(account, subscription);
  await plan(account, job, betweenMs(job.runs + 1), job.runs + 1);
}

/** Makes an attempt of a held delivery. @returns undefined when it must not be sent, or another attempt is under way */
async function attempt(
  due: Omit<DueDelivery, 'secrets'>,
  reads: GatheredReads,
): Promise<Outcome | undefined> {
  const { account, subscription, delivery } = due;
  const [secrets] = await reads.read(secretsKey(account, subscription.id));
  if (!secrets) return undefined;
  if (isForAnotherHost(subscription, delivery)) return void (await write(failedForOtherHost(delivery)));
  return makeAttempt({ ...due, secrets: secrets as unknown as Secrets, isProbe: true }, reads);
}

function logFailure(account: string, { id, parked_since, failing_since }: Subscription): void {
  const now = Date.now();
  const since = parked_since ?? failing_since;
  const waitedMs = since === undefined ? 0 : now - Date.parse(since);
  log.info('a probe failed', { account, subscription: id, ...probeFailed(waitedMs) });
}

async function readOldest(account: string, subscription: string): Promise<Delivery | undefined> {
  const [oldest] = await oldestHeld(account, subscription, 1);
  if (!oldest) return undefined;
  const [delivery] = await readItems<Delivery>(webhooks, [{ pk: oldest.pk, sk: oldest.sk }]);
  return delivery?.due_partition === oldest.due_partition ? delivery : undefined;
}

async function plan(account: string, job: Job, waitMs: number, runs: number): Promise<void> {
  const next = new Date(Date.now() + waitMs);
  await planRun(job, next, runs);
  await noteNextProbe(account, ownerOf(job.pk).subscription, next);
}

/** Shows the time of the next probe. */
async function noteNextProbe(account: string, id: string, next: Date): Promise<void> {
  const shown = { next_probe_at: next.toISOString() };
  await write(webhooks.update(subscriptionKey(account, id), shown, { if: { status: 'suspended' } }));
}
