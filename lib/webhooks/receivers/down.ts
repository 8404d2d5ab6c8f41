import { present } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, write } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import type { Attempt } from '../model/delivery.ts';
import { subscriptionKey } from '../model/keys.ts';
import { isProbed, type Subscription } from '../model/subscription.ts';
import { announce, changeSubscription, commit, recoveryFrom } from '../model/subscriptions.ts';
import { startRecovery } from '../queue/messages.ts';

// The schedule of a receiver. One that accepts nothing is down: its deliveries rest, and the recovery tries it with one of them from time to time.

/** So many failures in a row, and no success for so long: a blip of a second, or one bad delivery, is no reason. */
const failuresMin = 10;
const failingMs = 30_000;

const minute = 60;
const hour = 60 * minute;

/** The seconds before each try of a receiver that is down; the last of them before all further ones. */
const probeDelays = [5, 30, minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 5 * hour];

/** How much later than planned a try may be, as a part of the delay: a receiver that works for minutes of each hour is met once. */
const jitter = 0.1;

/** When a receiver is tried next. @param probes how often it was tried since it is down */
export function nextProbeAt(probes: number, now: number): string {
  const delaySeconds = probeDelays[Math.min(probes, probeDelays.length - 1)] as number;
  return new Date(now + delaySeconds * 1000 * (1 + jitter * Math.random())).toISOString();
}

/** How long a receiver is down until its subscription is suspended. */
const suspendedAfterMs = 72 * hour * 1000;

/** Whether a subscription is to be suspended. */
export const isDownForLong = ({ status, down_since }: Subscription, now: number): boolean =>
  status === 'active' && down_since !== undefined && now - Date.parse(down_since) >= suspendedAfterMs;

const tooManyRequests = 429;
const firstServerError = 500;

/** Whether an attempt that failed is about the receiver: it is overloaded or out of reach. Other statuses are about the delivery. */
export const isOverload = ({ http_status }: Pick<Attempt, 'http_status'>): boolean =>
  http_status === null || http_status === tooManyRequests || http_status >= firstServerError;

/** Notes that a receiver is down, if its failures show it. @param subscription as it is after the last of them */
export async function noteDown(account: string, subscription: Subscription): Promise<void> {
  const { id, version, status, down_since, failing_since, consecutive_failures } = subscription;
  const now = Date.now();
  const isDown =
    consecutive_failures >= failuresMin &&
    failing_since !== undefined &&
    now - Date.parse(failing_since) >= failingMs;
  if (status !== 'active' || down_since !== undefined || !isDown) return;
  const first = nextProbeAt(0, now);
  // Otherwise the first delivery that comes to rest is tried.
  const rests = subscription.enqueue_at !== undefined;
  const changes = {
    down_since: new Date(now).toISOString(),
    probes: 1,
    next_probe_at: first,
    ...(rests ? { enqueue_at: first } : {}),
  };
  const { committed } = await write(
    webhooks.update(subscriptionKey(account, id), changes, {
      if: { version, down_since, ...(rests ? { due_partition: present } : {}) },
    }),
  );
  if (!committed) return;
  log.info('a receiver is down', { account, subscription: id, host: subscription.host });
  if (rests) await startRecovery(account, id, probeDelays[0]);
}

/** Suspends a subscription whose receiver was down for days. Its receiver is still tried. */
export async function suspend(account: string, subscription: Subscription): Promise<void> {
  const { next, action } = changeSubscription(account, subscription, {
    status: 'suspended',
    status_reason: 'failing',
  });
  // If it has changed since it was read, whoever changed it has decided.
  const { committed } = await commit([
    action,
    announce(account, 'subscription.suspended', subscription, next),
  ]);
  if (committed)
    log.warn('a webhook subscription was suspended', {
      account,
      subscription: subscription.id,
      host: subscription.host,
      ...counts('subscriptions_suspended'),
    });
}

/** Notes that a receiver which was down accepts deliveries: the recovery sends what rests. @param subscription as it was before that */
export async function noteUp(account: string, subscription: Subscription): Promise<void> {
  const { id, status, host } = subscription;
  if (!isProbed(subscription)) return;
  const actions = status === 'suspended' ? resume(account, subscription) : [isUp(account, subscription)];
  if (!(await commit(actions)).committed) return;
  await startRecovery(account, id);
  if (status === 'suspended')
    log.info('a webhook subscription is active again', {
      account,
      subscription: id,
      ...counts('subscriptions_resumed'),
    });
  else log.info('a receiver is up again', { account, subscription: id, host });
}

function resume(account: string, subscription: Subscription) {
  const { next, action } = changeSubscription(account, subscription, {
    status: 'active',
    status_reason: null,
    consecutive_failures: 0,
    accepted_host: subscription.host,
  });
  return [action, announce(account, 'subscription.resumed', subscription, next)];
}

/** No version changes: whether a receiver works is not a setting. */
function isUp(account: string, subscription: Subscription): Action {
  const { id, down_since } = subscription;
  const { changes, conditions } = recoveryFrom(subscription, new Date().toISOString());
  const up = { down_since: undefined, probes: undefined, next_probe_at: null };
  return webhooks.update(
    subscriptionKey(account, id),
    { ...up, ...changes },
    { if: { down_since, ...conditions } },
  );
}
