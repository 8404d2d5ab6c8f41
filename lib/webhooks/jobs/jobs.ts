import { unlessThere } from '../../dynamodb/expressions.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import { type Action, write, writeUpdate } from '../../dynamodb/transact.ts';
import { anyDueShard, jobKey, type RecoveryKind } from '../model/keys.ts';
import type { Subscription } from '../model/subscription.ts';
import { enqueue, outgoing, type RecoveryMessage } from './queue.ts';

/** The job to release what a subscription holds, or to probe its receiver: `enqueue_at` is when it runs next, `runs` how often it has run. */
export interface Job {
  pk: string;
  sk: RecoveryKind;
  enqueue_at: string;
  runs: number;
  /** When its first step began. */
  begun_at?: string;
}

/** What a job is run with. */
export interface JobOwner {
  account: string;
  /** The id of the subscription. */
  id: string;
  /** Undefined when it was deleted. */
  subscription: Subscription | undefined;
  /** Whether nothing is sent for the account. */
  suspended: boolean;
  /** Before these reads, in epoch milliseconds. */
  readAt: number;
}

const put = (account: string, subscription: string, kind: RecoveryKind, at: Date): Action => {
  const due = { due_partition: anyDueShard(), enqueue_at: at.toISOString(), runs: 0 };
  return webhooks.put({ ...jobKey(account, subscription, kind), ...due });
};

/**
 * Starts the release of a subscription's held deliveries, and ends its probes. Part of the transaction that makes the subscription
 * active again, that deletes it, or that has seen its receiver accept something: no delivery is held for that reason after it. The
 * sweep runs it within a minute, and `startJob` at once.
 */
export const putRelease = (account: string, subscription: string, due = new Date()): Action[] => [
  put(account, subscription, 'release', due),
  webhooks.delete(jobKey(account, subscription, 'probe')),
];

/** Starts probes, the first at a time. They replace earlier ones. */
export const putProbes = (account: string, subscription: string, first: Date): Action =>
  put(account, subscription, 'probe', first);

/**
 * Starts probes, unless there are some already. Part of every transaction after which deliveries may be held: a probe also gives up
 * what was held for too long.
 */
export const keepProbing = (account: string, subscription: string, now: Date): Action =>
  webhooks.update(jobKey(account, subscription, 'probe'), {
    due_partition: unlessThere(anyDueShard()),
    enqueue_at: unlessThere(firstProbeAt(now.getTime()).toISOString()),
    runs: unlessThere(0),
  });

/** Whether what is held is released when a subscription becomes active, or its receiver is tried first. */
export const firstJobOf = ({ parked_since }: Pick<Subscription, 'parked_since'>): RecoveryKind =>
  parked_since === undefined ? 'release' : 'probe';

/** The jobs that a new status of a subscription needs, in the transaction that writes it. */
export function jobsFor(account: string, subscription: Subscription, now = new Date()): Action[] {
  const { id, status } = subscription;
  if (status !== 'active') return [keepProbing(account, id, now)];
  if (firstJobOf(subscription) === 'release') return putRelease(account, id, now);
  return [
    putProbes(account, id, now),
    // One that is left of an earlier resumption would release what the probe has to decide about.
    webhooks.delete(jobKey(account, id, 'release')),
  ];
}

/**
 * Claims the run of a job that a message asks for, so that it does not run twice at a time.
 * @param until when the sweep starts it again, if this run dies
 * @returns the job; undefined when it runs already, has run since, or has ended
 */
export async function claimJob(
  { account, subscription_id, kind, due }: RecoveryMessage,
  until: Date,
): Promise<Job | undefined> {
  const end = until.toISOString();
  const changes = { enqueue_at: end, begun_at: unlessThere(end) };
  const claim = webhooks.update(jobKey(account, subscription_id, kind), changes, { if: { enqueue_at: due } });
  return (await writeUpdate<Job>(claim, { returnsItem: true })).answer;
}

/** Plans the next run of a claimed job, unless a newer one has replaced it. */
export async function planRun({ pk, sk, enqueue_at }: Job, next: Date, runs: number): Promise<void> {
  await write(webhooks.update({ pk, sk }, { enqueue_at: next.toISOString(), runs }, { if: { enqueue_at } }));
}

/** Deletes a claimed job, unless a newer one has replaced it. */
export async function endJob({ pk, sk, enqueue_at }: Job): Promise<void> {
  await write(webhooks.delete({ pk, sk }, { if: { enqueue_at } }));
}

/** Starts a job after its commit. It never throws: the sweep starts what was not started. */
export async function startJob(
  account: string,
  subscription_id: string,
  kind: RecoveryKind,
  due: Date,
): Promise<void> {
  await enqueue([outgoing({ kind, account, subscription_id, due: due.toISOString() })]);
}

const hourMs = 3_600_000;

/**
 * The time between two probes: an hour on the first day, five hours after that. Five hours find also a receiver that works at the same
 * hours of every day: each probe comes at another hour, until the sixth day. @param runs how many were made
 */
export const betweenMs = (runs: number): number => (runs < 24 ? hourMs : 5 * hourMs);

/** When the first probe comes. */
export const firstProbeAt = (now: number): Date => new Date(now + betweenMs(0));
