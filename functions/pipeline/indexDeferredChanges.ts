import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { indexDeferred } from '../../lib/lists/indexChanges.ts';
import { setLogContext } from '../../lib/logs/log.ts';

const reserveMs = 5_000;

/** Deferred changes → the index of filters. A message that fails comes again. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'indexDeferredChanges', request_id: context.awsRequestId });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
  const failed = await indexDeferred(Records, deadline);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
