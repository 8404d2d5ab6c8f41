import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { resumeKeys, suspendedSince, suspendKeys } from '../../keys/suspension.ts';
import { keepProbing, putRelease, startJob } from '../jobs/jobs.ts';
import { readSubscriptions } from '../model/readSubscriptions.ts';
import { putSuspension } from '../model/suspension.ts';

// While an account is suspended, its keys are refused, and nothing is sent to its receivers. Its subscriptions do not change:
// their deliveries are held, and released when the account is resumed.

/** How long conflicts with other writes are retried. */
const limitMs = 10_000;

/**
 * Suspends an account. If it is suspended already, the time of its suspension stays.
 * @returns the time since which it is suspended, RFC 3339 UTC
 */
export async function suspendAccount(account: string): Promise<string> {
  const now = new Date();
  await untilCommitted(Date.now() + limitMs, async () => {
    const { committed } = await transact([
      suspendKeys(account, now),
      putSuspension(account, { suspended_at: now.toISOString() }),
      ...(await readSubscriptions(account)).map(({ id }) => keepProbing(account, id, now)),
    ]);
    return committed ? {} : undefined;
  });
  return (await suspendedSince(account)) as string;
}

/** Resumes an account. It has no effect on an account that is not suspended. */
export async function resumeAccount(account: string): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    const active = (await readSubscriptions(account)).filter(({ status }) => status === 'active');
    const now = new Date();
    const { committed } = await transact([
      resumeKeys(account, now),
      putSuspension(account, { resumed_at: now.toISOString() }),
      // After this no delivery is held because of the suspension. Deliveries to other subscriptions are held until these are active.
      ...active.flatMap(({ id }) => putRelease(account, id, now)),
    ]);
    if (!committed) return undefined;
    await Promise.all(active.map(({ id }) => startJob(account, id, 'release', now)));
    return {};
  });
}
