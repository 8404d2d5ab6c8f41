import type { GatheredReads } from '../../dynamodb/gatheredReads.ts';
import { claimJob, type JobOwner } from '../jobs/jobs.ts';
import type { RecoveryMessage } from '../jobs/queue.ts';
import { subscriptionKey, suspensionKey } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { isSuspended } from '../model/suspension.ts';
import { drain } from './drain.ts';
import { probe } from './probe.ts';

/** How long a run may take. The sweep starts the next one when a run has died, or its message was lost. */
const runMs = { release: 30_000, probe: 60_000 };

/** Runs a release or a probe once. A message that is received twice, or that is out of date, does no harm. */
export async function runJob(message: RecoveryMessage, reads: GatheredReads): Promise<void> {
  const { kind, account, subscription_id: id } = message;
  const job = await claimJob(message, new Date(Date.now() + runMs[kind]));
  if (!job) return;
  const readAt = Date.now();
  const [subscription, suspension] = await reads.read(subscriptionKey(account, id), suspensionKey(account));
  const owner: JobOwner = {
    account,
    id,
    subscription: subscription as Subscription | undefined,
    suspended: isSuspended(suspension),
    readAt,
  };
  if (kind === 'release') await drain(job, owner);
  else await probe(job, owner, reads);
}
