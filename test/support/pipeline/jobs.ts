import { readMany } from '../../../lib/dynamodb/batch.ts';
import { env, required } from '../../../lib/env.ts';
import type { Job } from '../../../lib/webhooks/jobs/jobs.ts';
import { jobKey, type RecoveryKind } from '../../../lib/webhooks/model/keys.ts';
import type { GivenSubscriber } from './conservation.ts';

/** The job of a subscription, as it is stored. */
export async function storedJob({ account, id }: GivenSubscriber, kind: RecoveryKind): Promise<Job> {
  const [job] = await readMany(required(env.webhooksTable), [jobKey(account, id, kind)]);
  if (!job) throw new Error(`${id} has no ${kind}`);
  return job as unknown as Job;
}
