import { is, unlessThere } from '../../dynamodb/expressions.ts';
import { queryPages } from '../../dynamodb/query.ts';
import { webhooks } from '../../dynamodb/tables.ts';
import type { Delivery } from '../model/delivery.ts';
import { isProbed, isSent, type Speed, type Subscription } from '../model/subscription.ts';
import { anyDueShard } from '../model/webhookKeys.ts';
import { webhooksTable } from '../model/webhooksTable.ts';
import { delayMaxSeconds, deliveryMessage, enqueueDeliveries } from './messages.ts';

export interface DueEntry {
  pk: string;
  sk: string;
  enqueue_at: string;
  id?: string;
  /** The time of the attempt of a delivery. */
  next_attempt_at?: string;
}

/** Yields the entries of a partition of the due index up to a time, RFC 3339 UTC, in the order of their times, page by page. */
export const dueEntries = (
  partition: string,
  { pageSize, until }: { pageSize: number; until: string },
): AsyncGenerator<DueEntry[]> =>
  queryPages<DueEntry>({
    ...webhooks.where({ due_partition: partition, enqueue_at: is('<=', until) }),
    IndexName: webhooksTable.due.name,
    Limit: pageSize,
  });

/** How long the sweep waits for an attempt after a message. After that, the message was lost, or the function died with it. */
export const lostAfterMs = 30_000;

export const enqueueAgainAt = (time: Date): string => new Date(time.getTime() + lostAfterMs).toISOString();

/** How long before a later slot the message is sent, because the sweep runs every minute and SQS delays to the second. */
const earlyMs = 10 * 60_000;

type DueKeys = Required<Pick<Delivery, 'next_attempt_at' | 'due_partition' | 'enqueue_at'>>;

/**
 * Returns the due-index entry of a delivery whose next attempt is at a time, RFC 3339 UTC.
 * @param isSlot whether the time is a rate-limit slot, so that its message must come before it
 * @returns the entry, and the delay of its message; undefined if only the sweep sends one
 */
export function dueAt(
  time: string,
  now: number,
  isSlot = false,
): { keys: DueKeys; delaySeconds: number | undefined } {
  const at = new Date(time);
  const delaySeconds = Math.max(0, Math.ceil((at.getTime() - now) / 1000));
  // If the attempt is soon, SQS delays the message, and the sweep only replaces a lost one.
  const isSoon = delaySeconds <= delayMaxSeconds;
  const enqueue_at = isSoon
    ? enqueueAgainAt(at)
    : new Date(at.getTime() - (isSlot ? earlyMs : 0)).toISOString();
  return {
    keys: { next_attempt_at: at.toISOString(), due_partition: anyDueShard(), enqueue_at },
    delaySeconds: isSoon ? delaySeconds : undefined,
  };
}

/** Sends the message for an attempt at a time, RFC 3339 UTC. For later times the sweep sends it, because SQS limits delays. */
export async function enqueueFor(delivery: Delivery, time: string, queue: Speed = 'slow'): Promise<void> {
  const { delaySeconds } = dueAt(time, Date.now());
  if (delaySeconds !== undefined) await enqueueDeliveries([deliveryMessage(delivery, queue, delaySeconds)]);
}

/** While a subscription is stopped, its recovery only expires old deliveries, so once a day is enough. */
const stoppedMs = 24 * 3_600_000;

/** Returns when the recovery of a subscription must examine a delivery that is held from now on, in epoch milliseconds. */
export function recoveryDueAt(subscription: Subscription, isAccountSuspended: boolean, now: number): number {
  if (isAccountSuspended) return now + stoppedMs;
  if (isSent(subscription)) return now + lostAfterMs;
  const { outage } = subscription;
  return outage && isProbed(subscription) ? Math.max(now, Date.parse(outage.next_probe_at)) : now + stoppedMs;
}

/** Returns the changes of a subscription that let its recovery examine a held delivery. */
export const recoveryDue = (at: number) => ({
  due_partition: unlessThere(anyDueShard()),
  enqueue_at: unlessThere(new Date(at).toISOString()),
});
