import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { logIndexed } from '../../lib/lists/lag.ts';
import { setLogContext } from '../../lib/logs/log.ts';
import { indexDeliveries } from '../../lib/webhooks/log/indexDeliveries.ts';

const reserveMs = 5_000;

/** Changes of deliveries → the index of filters. Only the failed changes of a batch come again. */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<DynamoDBBatchResponse> {
  setLogContext({ operation: 'indexDeliveries', request_id: context.awsRequestId });
  const failed = await indexDeliveries(Records, Date.now() + context.getRemainingTimeInMillis() - reserveMs);
  logIndexed(Records, failed);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
