import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { isAccount } from '../../contract/values/account.ts';
import { readObject } from '../../contract/values/json.ts';
import { env, required } from '../../env.ts';
import { describeError, log } from '../../log.ts';
import { sqs } from '../../queues.ts';

/** What a message of the queues says: look at this delivery. All there is to know about it is in the table. */
export interface Bell {
  account: string;
  subscription_id: string;
  delivery_id: string;
}

/** Reads the body of a message. @returns undefined when it is none of ours */
export function readBell(body: string): Bell | undefined {
  const read = readObject(body);
  const { account, subscription_id, delivery_id } = ('value' in read ? read.value : {}) as Partial<Bell>;
  const isBell = isAccount(account) && isText(subscription_id) && isText(delivery_id);
  return isBell ? { account, subscription_id, delivery_id } : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** main: for receivers known to be quick. slow: for all others, so that who waits for them keeps nobody else waiting. */
export type Lane = 'main' | 'slow';

/** A bell, and after how many seconds it rings, at most 900. */
export interface Ring {
  bell: Bell;
  lane: Lane;
  delaySeconds?: number;
}

/** The longest that SQS holds a message back. */
export const delayMaxSeconds = 900;

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
const entriesMax = 10;

/**
 * Puts messages into the queues. It never throws: the queues are only doorbells, and what is not rung for now the sweep
 * rings for later.
 * @returns those that have been rung
 */
export async function ring(rings: readonly Ring[]): Promise<Ring[]> {
  const lanes = [
    { QueueUrl: () => required(env.deliveriesQueue), rings: rings.filter(({ lane }) => lane === 'main') },
    { QueueUrl: () => required(env.slowDeliveriesQueue), rings: rings.filter(({ lane }) => lane === 'slow') },
  ];
  const sent = await Promise.all(
    lanes.flatMap(({ QueueUrl, rings }) =>
      Array.from({ length: Math.ceil(rings.length / entriesMax) }, (_, i) =>
        send(QueueUrl(), rings.slice(i * entriesMax, (i + 1) * entriesMax)),
      ),
    ),
  );
  return sent.flat();
}

async function send(QueueUrl: string, rings: readonly Ring[]): Promise<Ring[]> {
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: rings.map(({ bell, delaySeconds = 0 }, i) => ({
          Id: String(i),
          MessageBody: JSON.stringify(bell),
          // SQS serves the groups of a queue fairly, so an account with many deliveries does not push the others back.
          MessageGroupId: bell.account,
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    if (Failed.length > 0) log.warn('some bells were not rung', { count: Failed.length });
    const failed = new Set(Failed.map(({ Id }) => Number(Id)));
    return rings.filter((_, i) => !failed.has(i));
  } catch (error) {
    log.warn('bells were not rung', { count: rings.length, error: describeError(error) });
    return [];
  }
}
