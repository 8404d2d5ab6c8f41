import type { Context, ScheduledEvent } from 'aws-lambda';
import { verifyIndex } from '../../lib/filterIndex/verify/verifyIndex.ts';
import { setLogContext } from '../../lib/logs/log.ts';

/** Longer than a step takes, even if DynamoDB is busy. */
const reserveMs = 180_000;

/** Continues the comparison of the index of filters with the records. Runs every hour, and begins a new comparison once a day. */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  setLogContext({ operation: 'verifyIndex', request_id: context.awsRequestId });
  await verifyIndex(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
