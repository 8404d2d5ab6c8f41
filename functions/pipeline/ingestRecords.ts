import type { SQSRecord } from 'aws-lambda';
import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { env, required } from '../../lib/env.ts';
import { ingestReserveMs } from '../../lib/inbox/ingest.ts';
import { ingestBatch, type ReceivedMessage } from '../../lib/inbox/retries.ts';

/** Stores the records of the inbox. */
export const handler = batchHandler<SQSRecord>('ingestRecords', ingestReserveMs, (messages, deadline) =>
  ingestBatch(messages.map(messageOf), deadline),
);

function messageOf({ messageId: id, body, receiptHandle: receipt, attributes, eventSourceARN }: SQSRecord) {
  const { ApproximateReceiveCount, MessageGroupId: group } = attributes;
  const isRetry = required(env.recordsRetries).endsWith(`/${eventSourceARN.split(':').at(-1)}`);
  return {
    ...{ id, body, receipt, isRetry, group },
    receives: Number(ApproximateReceiveCount),
  } satisfies ReceivedMessage;
}
