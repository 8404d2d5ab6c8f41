import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { describeError, log } from '../logs/log.ts';
import { clientConfiguration, endpoints } from './configuration.ts';

let client: SQSClient | undefined;

/** Returns the only SQS client of this process. The first use creates it from the environment of that moment. */
export function sqs(): SQSClient {
  client ??= new SQSClient(clientConfiguration(endpoints.sqs()));
  return client;
}

/** Returns JSON without the two characters that JSON allows and SQS does not: SQS would replace them, or refuse the message. */
export const messageText = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');

/** How many messages one call can send. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const sqsBatchMax = 10;

export type QueueEntry = Omit<SendMessageBatchRequestEntry, 'Id'>;

/**
 * Sends messages in one call. It never throws, and logs the messages that were not sent.
 * @param batch at most `sqsBatchMax` messages, each with its entry
 * @returns the messages that the queue accepted
 */
export async function sendBatch<Message>(
  QueueUrl: string,
  batch: readonly (readonly [Message, QueueEntry])[],
): Promise<Message[]> {
  const queue = QueueUrl.split('/').at(-1);
  try {
    const Entries = batch.map(([, entry], i) => ({ ...entry, Id: String(i) }));
    const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0)
      log.warn('a queue refused messages', { queue, count: Failed.length, code: Failed[0]?.Code });
    const failed = new Set(Failed.map(({ Id }) => Number(Id)));
    return batch.flatMap(([message], i) => (failed.has(i) ? [] : [message]));
  } catch (error) {
    log.warn('messages were not sent', { queue, count: batch.length, error: describeError(error) });
    return [];
  }
}
