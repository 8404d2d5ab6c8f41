import type { Context, ScheduledEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { sweep } from '../../lib/webhooks/queue/sweep.ts';

const reserveMs = 10_000;

/** Sends a message for each due delivery. Runs every minute. */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  setLogContext({ operation: 'sweepDeliveries', request_id: context.awsRequestId });
  await sweep(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
