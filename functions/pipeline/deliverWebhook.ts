import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { deliverMessages } from '../../lib/webhooks/deliverMessages.ts';

/** Delivery messages → attempts. SQS sends a message again only after an internal error. */
export async function handler({ Records }: SQSEvent, { awsRequestId }: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'deliverWebhook', request_id: awsRequestId });
  const failed = await deliverMessages(Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
