import type { SQSRecord } from 'aws-lambda';
import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { ingestReserveMs } from '../../lib/inbox/ingest.ts';
import { ingestBatch, type ReceivedMessage } from '../../lib/inbox/retries.ts';

/** Records inbox → records. */
export const handler = batchHandler<SQSRecord>('ingestRecords', ingestReserveMs, (messages, deadline) =>
  ingestBatch(messages.map(messageOf), deadline),
);

const messageOf = ({ messageId: id, body, receiptHandle: receipt, attributes }: SQSRecord) => {
  const { ApproximateReceiveCount, MessageGroupId: group } = attributes;
  return { id, body, receipt, receives: Number(ApproximateReceiveCount), group } satisfies ReceivedMessage;
};
