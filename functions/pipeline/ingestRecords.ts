import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { ingest } from '../../lib/inbox/ingest.ts';
import { setLogContext } from '../../lib/log.ts';

/** Records inbox → records. Of a batch only those messages come again that failed. */
export async function handler({ Records }: SQSEvent, { awsRequestId }: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'ingestRecords', request_id: awsRequestId });
  const failed = await ingest(Records.map(({ messageId, body }) => ({ id: messageId, body })));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
