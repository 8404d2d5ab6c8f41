import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { ingestBatch } from '../../lib/inbox/batch.ts';
import { ingestReserveMs } from '../../lib/inbox/ingest.ts';
import type { ReceivedMessage } from '../../lib/inbox/retries.ts';
import { setLogContext } from '../../lib/log.ts';

/** Records inbox → records. Of a batch only those messages come again that failed. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'ingestRecords', request_id: context.awsRequestId });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - ingestReserveMs;
  const failed = await ingestBatch(Records.map(receivedOf), deadline);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

const receivedOf = ({
  messageId: id,
  body,
  receiptHandle: receipt,
  attributes,
}: SQSRecord): ReceivedMessage => {
  const { ApproximateReceiveCount, MessageGroupId: group } = attributes;
  return { id, body, receipt, receives: Number(ApproximateReceiveCount), group };
};
