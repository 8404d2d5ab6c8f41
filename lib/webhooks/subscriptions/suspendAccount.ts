import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { transact } from '../../dynamodb/transact.ts';
import { resumeKeys, suspendedSince, suspendKeys } from '../../keys/suspension.ts';
import { subscriptionKey } from '../model/keys.ts';
import { isProbed, isSent } from '../model/subscription.ts';
import { putSuspension, readSubscriptions, recoveryFrom } from '../model/subscriptions.ts';
import { startRecovery } from '../queue/messages.ts';

// While an account is suspended, its keys are refused, and nothing is sent to its receivers. Its subscriptions do not change:
// their deliveries rest, and are sent when the account is resumed.

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
    ]);
    return committed ? {} : undefined;
  });
  return (await suspendedSince(account)) as string;
}

/** Resumes an account. It has no effect on an account that is not suspended. */
export async function resumeAccount(account: string): Promise<void> {
  await untilCommitted(Date.now() + limitMs, async () => {
    const all = await readSubscriptions(account);
    const active = all.filter((one) => isSent(one) || isProbed(one));
    const now = new Date();
    const { committed } = await transact([
      resumeKeys(account, now),
      putSuspension(account, { resumed_at: now.toISOString() }),
      // What rests is sent now. The deliveries of other subscriptions rest until these are active.
      ...active.map((one) => {
        const { changes, conditions } = recoveryFrom(one, now.toISOString());
        const key = subscriptionKey(account, one.id);
        return one.enqueue_at === undefined
          ? webhooks.check(key, conditions)
          : webhooks.update(key, changes, { if: conditions });
      }),
    ]);
    if (!committed) return undefined;
    await Promise.all(active.map(({ id }) => startRecovery(account, id)));
    return {};
  });
}
