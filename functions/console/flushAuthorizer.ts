import type { Context, SQSEvent } from 'aws-lambda';
import { flushAuthorizer } from '../../lib/console/flushAuthorizer.ts';
import { log, setLogContext } from '../../lib/logs/log.ts';

/** Flushes the authorizer's cache once for all messages of a batch, after changes to keys that take access away. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<void> {
  setLogContext({ operation: 'flushAuthorizer', request_id: context.awsRequestId });
  await flushAuthorizer();
  log.info('flushed', { messages: Records.length });
}
