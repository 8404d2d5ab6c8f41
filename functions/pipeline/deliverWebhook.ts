import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/log.ts';
import { answerBells } from '../../lib/webhooks/deliveries/answerBells.ts';

/** Bells → attempts. Of a batch only those come again that failed on our side. */
export async function handler({ Records }: SQSEvent, { awsRequestId }: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'deliverWebhook', request_id: awsRequestId });
  const failed = await answerBells(Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
