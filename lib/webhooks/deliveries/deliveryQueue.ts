import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { batchesOf } from '../../batchesOf.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { sqs } from '../../queues.ts';
import { isAccount } from '../../values/account.ts';
import { readObject } from '../../values/json.ts';
import type { RecoveryOrder } from '../keys.ts';

/** A message of the delivery queues: an attempt of this delivery may be due. The delivery itself is in the table. */
export interface DeliveryMessage {
  account: string;
  subscription_id: string;
  delivery_id: string;
}

/** A message of the delivery queues: this order of the due index goes on now. The order itself is in the table. */
export interface OrderMessage {
  account: string;
  subscription_id: string;
  /** The sort key of the order. */
  order: string;
  /** The `runs` of the order when the message was sent. With any other number the message is out of date. */
  run: number;
}

/** A message of the delivery queues: a release or a probe of a subscription is due. Its order is in the table. */
export interface RecoveryMessage {
  account: string;
  subscription_id: string;
  order: RecoveryOrder;
  /** The time of the run that the message asks for. After that run the message is out of date. */
  due: string;
}

/** Reads the body of a message of the delivery queues. @returns undefined when it is none */
export function readDeliveryMessage(
  body: string,
): DeliveryMessage | OrderMessage | RecoveryMessage | undefined {
  const read = readObject(body);
  const { account, subscription_id, delivery_id, order, run, due } = (
    'value' in read ? read.value : {}
  ) as Partial<DeliveryMessage & OrderMessage & RecoveryMessage>;
  if (!isAccount(account) || !isText(subscription_id)) return undefined;
  if (isText(order) && isText(due)) return { account, subscription_id, order, due };
  if (isText(delivery_id)) return { account, subscription_id, delivery_id };
  return isText(order) && Number.isSafeInteger(run)
    ? { account, subscription_id, order, run: run as number }
    : undefined;
}

const isText = <Text extends string>(value: Text | undefined): value is Text =>
  typeof value === 'string' && value !== '';

/** quick: for receivers that are known to answer quickly. slow: for all others, so that these delay no quick one. */
export type DeliveryQueue = 'quick' | 'slow';

/**
 * How fast a receiver answers. silent: it gave no answer; these use the slow queue, in a message group of their own, so that they do
 * not delay those of the account that do answer.
 */
export type Pace = DeliveryQueue | 'silent';

export interface OutgoingMessage {
  message: DeliveryMessage | OrderMessage | RecoveryMessage;
  /** The queue, or the pace of the receiver, which has one. */
  queue: Pace;
  /** After how many seconds the message can be received; at most `delayMaxSeconds`, and none when it is left out. */
  delaySeconds?: number;
}

/** The longest delay of a message. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-timers.html */
export const delayMaxSeconds = 900;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const entriesMax = 10;

/**
 * Sends messages to the delivery queues. It never throws: for a delivery or an order whose message was not sent the sweep sends one later.
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
      batchesOf(outgoing, entriesMax).map((batch) => send(url(), batch)),
    ),
  );
  return sent.flat();
}

async function send(QueueUrl: string, messages: readonly OutgoingMessage[]): Promise<OutgoingMessage[]> {
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: messages.map(({ message, queue, delaySeconds = 0 }, i) => ({
          Id: String(i),
          MessageBody: JSON.stringify(message),
          // SQS serves the groups of a queue fairly, so an account with many deliveries does not delay the others. No account has the separator in its name.
          MessageGroupId: queue === 'silent' ? `${message.account}#silent` : message.account,
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    if (Failed.length > 0) log.warn('some delivery messages were not sent', { count: Failed.length });
    const failed = new Set(Failed.map(({ Id }) => Number(Id)));
    return messages.filter((_, i) => !failed.has(i));
  } catch (error) {
    log.warn('delivery messages were not sent', { count: messages.length, error: describeError(error) });
    return [];
  }
}
