import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { type Action, transact } from '../../dynamodb/transact.ts';
import { isBlocked, stopHost, stoppedHostsOf } from '../model/stoppedHosts.ts';
import { afterStop, isStopped, type Subscription } from '../model/subscription.ts';
import { changeSubscription, readSubscription } from '../model/subscriptions.ts';
import { startRecovery } from '../queue/messages.ts';

// What the operator of the API does to a subscription of any account.

/** How long conflicts with other changes are retried. */
const limitMs = 10_000;

/**
 * What an operator does: `resume` ends what `pause` has begun, and `unblock` what `block` has. Pausing is about a subscription, and
 * blocking about its host.
 */
export type OperatorChange = 'pause' | 'resume' | 'block' | 'unblock';

/** Whether the operator's command changes a subscription. A stop also holds for one that its owner has paused, and could resume. */
export function isChangedBy(
  change: OperatorChange,
  { status, status_reason }: Pick<Subscription, 'status' | 'status_reason'>,
): boolean {
  const reason = status === 'paused' ? status_reason : null;
  if (change === 'pause') return reason !== 'operator';
  if (change === 'block') return reason !== 'operator' && reason !== 'blocked';
  return reason === (change === 'resume' ? 'operator' : 'blocked');
}

/**
 * Stops or resumes a subscription. Its deliveries rest in between, as when its owner pauses it, and are sent at once then.
 * @returns the subscription after the change
 * @throws ApiError 404 when the account has no such subscription any more
 */
export function changeByOperator(change: OperatorChange, account: string, id: string): Promise<Subscription> {
  return untilCommitted(Date.now() + limitMs, async () => {
    const current = await readSubscription(account, id);
    return isChangedBy(change, current) ? tryChange(change, account, current) : current;
  });
}

/** Stops or resumes a subscription as it was read. @returns undefined when it has changed since */
export async function tryChange(
  change: OperatorChange,
  account: string,
  current: Subscription,
): Promise<Subscription | undefined> {
  const changes = change === 'pause' || change === 'block' ? stop(change, current) : await resume(current);
  const { next, action } = changeSubscription(account, current, changes);
  const actions = [action, ...hostOf(change, account, current)];
  if (!(await transact(actions)).committed) return undefined;
  if (next.status === 'active') await startRecovery(account, current.id);
  return next;
}

/** Pausing also keeps the account from subscribing the host again. */
const hostOf = (change: OperatorChange, account: string, { host }: Subscription): Action[] =>
  change === 'pause' || change === 'resume' ? [stopHost(account, host, change === 'pause')] : [];

const reasons = { pause: 'operator', block: 'blocked' } as const;

function stop(change: 'pause' | 'block', current: Subscription): Partial<Subscription> {
  const { status, status_reason, before_stop } = current;
  const isOfOwner = !isStopped(current) && (status === 'paused' || status === 'disabled');
  return {
    status: 'paused',
    status_reason: reasons[change],
    before_stop: isOfOwner ? { status, status_reason } : before_stop,
  };
}

/** What a subscription becomes that a restore brings back, while its host is stopped for its account, or blocked: nothing when it is neither. */
export async function stopOf(account: string, current: Subscription): Promise<Partial<Subscription>> {
  const { host } = current;
  const [stopped, blocked] = await Promise.all([stoppedHostsOf(account), isBlocked(host)]);
  const change = stopped.includes(host) ? 'pause' : blocked ? 'block' : undefined;
  return change && isChangedBy(change, current) ? stop(change, current) : {};
}

/** One whose host is blocked stays stopped. */
async function resume({ status_reason, host, before_stop }: Subscription): Promise<Partial<Subscription>> {
  const isHeld = status_reason === 'operator' && (await isBlocked(host));
  return isHeld ? { status: 'paused', status_reason: 'blocked' } : afterStop(before_stop);
}
