import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { env, required } from '../../env.ts';
import { resumeKeys, suspendedSince, suspendKeys } from '../../keys/suspension.ts';
import { releaseOrder } from '../deliveries/release.ts';
import { suspensionKey } from '../keys.ts';
import { readSubscriptions } from './readSubscriptions.ts';

// While an account is suspended, its keys open nothing, and nothing is sent to its receivers. Its subscriptions stay what
// they are: what is due rests, and is sent when the account is resumed.

/** How long others can be at the same items. */
const patienceMs = 10_000;

/**
 * Suspends an account. Done twice, it stays suspended since the first time.
 * @returns since when, RFC 3339 UTC
 */
export async function suspendAccount(account: string): Promise<string> {
  const now = new Date();
  const actions = [suspendKeys(account, now), putSuspension(account, { suspended_at: now.toISOString() })];
  await untilCommitted(Date.now() + patienceMs, async () => ((await transact(actions)) ? undefined : {}));
  return (await suspendedSince(account)) as string;
}

/** Resumes an account. Done twice, or to one that is not suspended, it does no harm. */
export async function resumeAccount(account: string): Promise<void> {
  await untilCommitted(Date.now() + patienceMs, async () => {
    const active = (await readSubscriptions(account)).filter(({ status }) => status === 'active');
    const now = new Date();
    const verdicts = await transact([
      resumeKeys(account, now),
      putSuspension(account, { resumed_at: now.toISOString() }),
      // Nothing rests any more because of the suspension after this. What is not active wakes up when it is.
      ...active.map(({ id }) => releaseOrder(account, id)),
    ]);
    return verdicts ? undefined : {};
  });
}

/** What the deliveries of an account ask: whether it is suspended, or has been. */
export interface Suspension {
  suspended_at?: string;
  resumed_at?: string;
}

const putSuspension = (account: string, suspension: Suspension): Action => ({
  Put: { TableName: required(env.webhooksTable), Item: { ...suspensionKey(account), ...suspension } },
});

/** Lets a transaction commit only while an account is suspended. */
export const whileSuspended = (account: string): Action => ({
  ConditionCheck: {
    TableName: required(env.webhooksTable),
    Key: suspensionKey(account),
    ConditionExpression: 'attribute_exists(suspended_at)',
  },
});
