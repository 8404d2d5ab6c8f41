import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { fanOutDeferred } from '../../lib/webhooks/events/fanOut.ts';

/** Deferred changes → events, with a delivery for every subscription. A message that fails comes again. */
export async function handler({ Records }: SQSEvent, { awsRequestId }: Context): Promise<SQSBatchResponse> {
  setLogContext({ operation: 'fanOutDeferredChanges', request_id: awsRequestId });
  const failed = await fanOutDeferred(Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
