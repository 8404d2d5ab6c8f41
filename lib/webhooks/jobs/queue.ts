import { batchMax, type QueueEntry, sendBatch } from '../../aws/queues.ts';
import { batchesOf } from '../../concurrency.ts';
import { env, required } from '../../env.ts';
import { isAccount } from '../../values/account.ts';
import { readObject } from '../../values/json.ts';
import type { Delivery } from '../model/delivery.ts';
import { ownerOf, type RecoveryKind } from '../model/keys.ts';
import type { Speed } from '../model/subscription.ts';

interface ToSubscription {
  account: string;
  subscription_id: string;
}

/** An attempt of this delivery may be due. The delivery itself is in the table. */
export interface DeliveryMessage extends ToSubscription {
  kind: 'delivery';
  delivery_id: string;
}

/** The message that lets a delivery be tried. */
export function deliveryMessage({ pk, id }: Pick<Delivery, 'pk' | 'id'>): DeliveryMessage {
  const { account, subscription } = ownerOf(pk);
  return { kind: 'delivery', account, subscription_id: subscription, delivery_id: id };
}

/** A release or a probe of a subscription is due. Its job is in the table. */
export interface RecoveryMessage extends ToSubscription {
  kind: RecoveryKind;
  /** The time of the run that the message asks for. After that run the message is out of date. */
  due: string;
}

/** A bulk redelivery goes on now. It is in the table. */
export interface RedeliveryMessage extends ToSubscription {
  kind: 'redelivery';
  redelivery_id: string;
  /** The `runs` of the redelivery when the message was sent. With any other number the message is out of date. */
  run: number;
}

/** A message of the delivery queues: a job that is due. */
export type JobMessage = DeliveryMessage | RecoveryMessage | RedeliveryMessage;

/** The words of a body stay as they are, because messages are under way while a release is deployed. Which of them it has tells its kind. */
interface Body extends ToSubscription {
  delivery_id?: string;
  order?: string;
  due?: string;
  run?: number;
}

function bodyOf(message: JobMessage): Body {
  const { account, subscription_id } = message;
  if (message.kind === 'delivery') return { account, subscription_id, delivery_id: message.delivery_id };
  if (message.kind === 'redelivery')
    return { account, subscription_id, order: message.redelivery_id, run: message.run };
  return { account, subscription_id, order: message.kind, due: message.due };
}

/** Reads the body of a message of the delivery queues. @returns undefined when it is none */
export function readJobMessage(body: string): JobMessage | undefined {
  const read = readObject(body);
  const { account, subscription_id, delivery_id, order, run, due } = (
    'value' in read ? read.value : {}
  ) as Partial<Body>;
  if (!isAccount(account) || !isText(subscription_id)) return undefined;
  const to = { account, subscription_id };
  if ((order === 'release' || order === 'probe') && isText(due)) return { ...to, kind: order, due };
  if (isText(delivery_id)) return { ...to, kind: 'delivery', delivery_id };
  return isText(order) && Number.isSafeInteger(run)
    ? { ...to, kind: 'redelivery', redelivery_id: order, run: run as number }
    : undefined;
}

const isText = (value: string | undefined): value is string => typeof value === 'string' && value !== '';

/** quick: for receivers that are known to answer quickly. slow: for all others, so that these delay no quick one. */
export type DeliveryQueue = Exclude<Speed, 'silent'>;

export interface OutgoingMessage {
  message: JobMessage;
  /** The queue, or the speed of the receiver, which has one. Silent ones have a message group of their own in the slow queue. */
  queue: Speed;
  /** After how many seconds the message can be received; at most `delayMaxSeconds`, and none when it is left out. */
  delaySeconds?: number;
}

const queues = { delivery: 'quick', release: 'quick', probe: 'slow', redelivery: 'slow' } as const;

/**
 * The message for a job, now or after a delay. A probe waits for a receiver that may be slow, and a step of a redelivery takes longer
 * than an attempt at a quick receiver.
 */
export const outgoing = (message: JobMessage, delaySeconds = 0): OutgoingMessage => ({
  message,
  queue: queues[message.kind],
  delaySeconds,
});

/** The longest delay of a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-timers.html */
export const delayMaxSeconds = 900;

/**
 * Sends messages to the delivery queues. It never throws: for a job whose message was not sent the sweep sends one later.
 * @returns those that were sent
 */
export async function enqueue(messages: readonly OutgoingMessage[]): Promise<OutgoingMessage[]> {
  const byQueue = [
    {
      url: () => required(env.quickDeliveriesQueue),
      outgoing: messages.filter(({ queue }) => queue === 'quick'),
    },
    {
      url: () => required(env.slowDeliveriesQueue),
      outgoing: messages.filter(({ queue }) => queue !== 'quick'),
    },
  ];
  const sent = await Promise.all(
    byQueue.flatMap(({ url, outgoing }) =>
      batchesOf(outgoing, batchMax).map((batch) =>
        sendBatch(
          url(),
          batch.map((one) => [one, entryOf(one)]),
        ),
      ),
    ),
  );
  return sent.flat();
}

/** SQS serves the groups of a queue fairly, so an account with many deliveries does not delay the others. No account has the separator in its name. */
const entryOf = ({ message, queue, delaySeconds = 0 }: OutgoingMessage): QueueEntry => ({
  MessageBody: JSON.stringify(bodyOf(message)),
  MessageGroupId: queue === 'silent' ? `${message.account}#silent` : message.account,
  DelaySeconds: delaySeconds,
});
