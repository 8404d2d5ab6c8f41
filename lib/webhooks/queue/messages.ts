import { type QueueEntry, sendBatch, sqsBatchMax } from '../../aws/queues.ts';
import { batchesOf } from '../../concurrency.ts';
import { env, required } from '../../env.ts';
import { isAccount } from '../../values/account.ts';
import { readObject } from '../../values/json.ts';
import type { Delivery } from '../model/delivery.ts';
import { ownerOf } from '../model/keys.ts';
import type { Speed } from '../model/subscription.ts';

interface ToSubscription {
  account: string;
  subscription_id: string;
}

/** An attempt of this delivery may be due. The delivery itself is in the table. */
export interface DeliveryMessage extends ToSubscription {
  kind: 'delivery';
  delivery_id: string;
  /** It may be sent to a receiver that is down, to try it. */
  probe?: true;
}

/** The recovery of a subscription, or one of its bulk redeliveries, goes on now. It is in the table. */
export interface RecoveryMessage extends ToSubscription {
  kind: 'recovery';
  redelivery_id?: string;
}

export type WebhookMessage = DeliveryMessage | RecoveryMessage;

/** Reads the body of a message of the delivery queues. @returns undefined when it is none */
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

/** quick: for receivers that are known to answer quickly. slow: for all others, so that these delay no quick one. */
export type DeliveryQueue = Exclude<Speed, 'silent'>;

export interface OutgoingMessage {
  message: WebhookMessage;
  /** The queue, or the speed of the receiver, which has one. Silent ones have a message group of their own in the slow queue. */
  queue: Speed;
  /** After how many seconds the message can be received; at most `delayMaxSeconds`. */
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

/** The same for a delivery that may try a receiver which is down. */
export function probeMessage(delivery: Pick<Delivery, 'pk' | 'id'>): OutgoingMessage {
  const outgoing = deliveryMessage(delivery);
  return { ...outgoing, message: { ...outgoing.message, probe: true } as DeliveryMessage };
}

/** The message that lets the recovery of a subscription go on. A step takes longer than an attempt at a quick receiver. */
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

/** Lets the recovery of a subscription go on. It never throws: the sweep starts what was not started. */
export async function startRecovery(account: string, subscription: string, delaySeconds = 0): Promise<void> {
  await enqueueDeliveries([recoveryMessage(account, subscription, delaySeconds)]);
}

/** The longest delay of a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-timers.html */
export const delayMaxSeconds = 900;

/**
 * Sends messages to the delivery queues. It never throws: the sweep sends one later for what was not sent.
 * @returns those that were sent
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

/** SQS serves the groups of a queue fairly, so an account with many deliveries does not delay the others. No account has the separator in its name. */
const entryOf = ({ message, queue, delaySeconds }: OutgoingMessage): QueueEntry => ({
  MessageBody: JSON.stringify(message),
  MessageGroupId: queue === 'silent' ? `${message.account}#silent` : message.account,
  DelaySeconds: delaySeconds,
});
