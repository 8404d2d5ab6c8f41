import { type QueueEntry, sendBatch, sqsBatchMax } from '../../aws/queues.ts';
import { batchesOf } from '../../concurrency.ts';
import { unlessThere } from '../../dynamodb/expressions.ts';
import { env, required } from '../../env.ts';
import { isAccount } from '../../schemas/account.ts';
import { readObject } from '../../schemas/json.ts';
import type { Delivery } from '../model/delivery.ts';
import { isProbed, isSent, type Speed, type Subscription } from '../model/subscription.ts';
import { runningRedelivery } from '../model/subscriptions.ts';
import { anyDueShard, ownerOf } from '../model/webhookKeys.ts';

interface ToSubscription {
  account: string;
  subscription_id: string;
}

/** An attempt of this delivery may be due. The delivery itself is in the table. */
export interface DeliveryMessage extends ToSubscription {
  kind: 'delivery';
  delivery_id: string;
  /** The message may probe a receiver that is down. */
  probe?: true;
}

/** The recovery of a subscription, or one of its bulk redeliveries, continues now. It is stored in the table. */
export interface RecoveryMessage extends ToSubscription {
  kind: 'recovery';
  redelivery_id?: string;
}

export type WebhookMessage = DeliveryMessage | RecoveryMessage;

/** Reads the body of a message of the delivery queues. @returns undefined for any other message */
export function readWebhookMessage(body: string): WebhookMessage | undefined {
  const read = readObject(body);
  const { account, subscription_id, kind, delivery_id, redelivery_id, probe } = (
    'value' in read ? read.value : {}
  ) as Partial<DeliveryMessage & RecoveryMessage>;
  if (!isAccount(account) || !isText(subscription_id)) return undefined;
  const to = { account, subscription_id };
  if ((kind as string) === 'recovery')
    return { ...to, kind: 'recovery', ...(isText(redelivery_id) ? { redelivery_id } : {}) };
  return isText(delivery_id)
    ? { ...to, kind: 'delivery', delivery_id, ...(probe ? { probe: true } : {}) }
    : undefined;
}

const isText = (value: string | undefined): value is string => typeof value === 'string' && value !== '';

/** quick: for receivers that are known to respond quickly. slow: for all others, so that they delay no quick one. */
export type DeliveryQueue = Exclude<Speed, 'silent'>;

export interface OutgoingMessage {
  message: WebhookMessage;
  /** The queue, or the receiver's speed, which determines it. Silent receivers have their own message group in the slow queue. */
  queue: Speed;
  /** The delay in seconds before the message can be received; at most `delayMaxSeconds`. */
  delaySeconds: number;
}

export function deliveryMessage(
  { pk, id }: Pick<Delivery, 'pk' | 'id'>,
  queue: Speed = 'slow',
  delaySeconds = 0,
): OutgoingMessage {
  const { account, subscription } = ownerOf(pk);
  const message = { kind: 'delivery', account, subscription_id: subscription, delivery_id: id } as const;
  return { message, queue, delaySeconds };
}

/** Returns the message for a delivery that may probe a receiver that is down. */
export function probeMessage(delivery: Pick<Delivery, 'pk' | 'id'>): OutgoingMessage {
  const outgoing = deliveryMessage(delivery);
  return { ...outgoing, message: { ...outgoing.message, probe: true } as DeliveryMessage };
}

/** Returns the message that continues the recovery of a subscription. A step takes longer than an attempt at a quick receiver. */
export const recoveryMessage = (
  account: string,
  subscription_id: string,
  delaySeconds = 0,
  redelivery_id?: string,
): OutgoingMessage => ({
  message: { kind: 'recovery', account, subscription_id, ...(redelivery_id ? { redelivery_id } : {}) },
  queue: 'slow',
  delaySeconds,
});

/** Continues the recovery of a subscription. It never throws, because the sweep starts whatever was not started. */
export async function startRecovery(account: string, subscription: string, delaySeconds = 0): Promise<void> {
  await enqueueDeliveries([recoveryMessage(account, subscription, delaySeconds)]);
}

/** Starts the recovery of a subscription, and continues its bulk redelivery. It never throws, because the sweep starts whatever was not started. */
export async function resumeSending(account: string, subscription: string): Promise<void> {
  const redelivery = await runningRedelivery(account, subscription).catch(() => undefined);
  await enqueueDeliveries([
    recoveryMessage(account, subscription),
    ...(redelivery ? [recoveryMessage(account, subscription, 0, redelivery)] : []),
  ]);
}

/** The longest delay of a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-timers.html */
export const delayMaxSeconds = 900;

/**
 * Sends messages to the delivery queues. It never throws, because the sweep later replaces messages that were not sent.
 * @returns the messages that were sent
 */
export async function enqueueDeliveries(messages: readonly OutgoingMessage[]): Promise<OutgoingMessage[]> {
  const byQueue = Map.groupBy(messages, ({ queue }) =>
    queue === 'quick' ? env.quickDeliveriesQueue : env.slowDeliveriesQueue,
  );
  const sent = await Promise.all(
    [...byQueue].flatMap(([queue, outgoing]) =>
      batchesOf(outgoing, sqsBatchMax).map((batch) =>
        sendBatch(
          required(queue),
          batch.map((one) => [one, entryOf(one)]),
        ),
      ),
    ),
  );
  return sent.flat();
}

/** Returns the entry for SQS, which shares a queue fairly among its groups. No account name contains the separator. */
const entryOf = ({ message, queue, delaySeconds }: OutgoingMessage): QueueEntry => ({
  MessageBody: JSON.stringify(message),
  MessageGroupId: queue === 'silent' ? `${message.account}#silent` : message.account,
  DelaySeconds: delaySeconds,
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
