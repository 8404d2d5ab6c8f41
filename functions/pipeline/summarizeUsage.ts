import type { Context, ScheduledEvent } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { summarizeUsage } from '../../lib/usage/summary/summarize.ts';

/** Longer than a step takes, even if DynamoDB is busy. */
const reserveMs = 60_000;

/** Sums up the counts of past days. Runs every hour. */
export async function handler(_: ScheduledEvent, context: Context): Promise<void> {
  setLogContext({ operation: 'summarizeUsage', request_id: context.awsRequestId });
  await summarizeUsage(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
