import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { sendChanges } from '../../lib/outbox/sendChanges.ts';
import { fanOut, fanOutAfterDeadlineMs } from '../../lib/webhooks/events/fanOut.ts';

/** Turns changes of records into events, deliveries and outbox messages. The stream repeats only changes that failed. */
export async function handler(
  { Records }: DynamoDBStreamEvent,
  context: Context,
): Promise<DynamoDBBatchResponse> {
  setLogContext({ operation: 'fanOutChanges', request_id: context.awsRequestId });
  const ms = context.getRemainingTimeInMillis();
  const deadline = Date.now() + ms - fanOutAfterDeadlineMs;
  const failed = await Promise.all([fanOut(Records, deadline), sendChanges(Records, ms)]);
  return { batchItemFailures: [...new Set(failed.flat())].map((itemIdentifier) => ({ itemIdentifier })) };
}
