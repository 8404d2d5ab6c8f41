import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/log.ts';
import { afterDeadlineMs, fanOut } from '../../lib/webhooks/events/fanOut.ts';

/** Changes of records → events, with a delivery for every subscription. Only the failed changes of a batch come again. */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<DynamoDBBatchResponse> {
  setLogContext({ operation: 'fanOutChanges', request_id: context.awsRequestId });
  const failed = await fanOut(Records, Date.now() + context.getRemainingTimeInMillis() - afterDeadlineMs);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
