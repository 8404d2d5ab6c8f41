import type { CloudWatchLogsEvent, Context } from 'aws-lambda';
import { setLogContext } from '../../lib/logs/log.ts';
import { countRequests } from '../../lib/usage/counting/countRequests.ts';
import { routesOfRelease } from '../../lib/usage/counting/routes.ts';

const reserveMs = 5000;

/** Counts batches of log lines into the Usage table, and stores the requests that failed. */
export async function handler(event: CloudWatchLogsEvent, context: Context): Promise<void> {
  setLogContext({ operation: 'countRequests', request_id: context.awsRequestId });
  await countRequests(event, routesOfRelease(), Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
