import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { ingestBatch } from '../../lib/inbox/batch.ts';
import { ingestReserveMs } from '../../lib/inbox/ingest.ts';
import type { ReceivedMessage } from '../../lib/inbox/retries.ts';
import { setLogContext } from '../../lib/logs/log.ts';

/** Records inbox → records. Only the failed messages of a batch are received again. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'ingestRecords', request_id: context.awsRequestId });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - ingestReserveMs;
  const failed = await ingestBatch(Records.map(messageOf), deadline);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

const messageOf = ({ messageId: id, body, receiptHandle: receipt, attributes }: SQSRecord) => {
  const { ApproximateReceiveCount, MessageGroupId: group } = attributes;
  return { id, body, receipt, receives: Number(ApproximateReceiveCount), group } satisfies ReceivedMessage;
};
