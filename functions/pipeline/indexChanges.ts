import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { appendChanges } from '../../lib/feed/append.ts';
import { afterDeadlineMs, indexChanges } from '../../lib/lists/indexChanges.ts';
import { logIndexed } from '../../lib/lists/lag.ts';
import { setLogContext } from '../../lib/logs/log.ts';
import { readChanges } from '../../lib/records/streamed.ts';

/** Changes of records → the feed of changes, which is cheap, and the index of filters. Only the failed changes of a batch come again. */
export async function handler({ Records }: DynamoDBStreamEvent, context: Context) {
  setLogContext({ operation: 'indexChanges', request_id: context.awsRequestId });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - afterDeadlineMs;
  const { changes, unreadable } = readChanges(Records);
  const work = [appendChanges(changes, deadline), indexChanges(changes, deadline)] as const;
  const [unnumbered, { failed, deferred }] = await Promise.all(work);
  const left = [...new Set([...unreadable, ...unnumbered, ...failed])];
  logIndexed(Records, left, deferred);
  const batchItemFailures = left.map((itemIdentifier) => ({ itemIdentifier }));
  return { batchItemFailures } satisfies DynamoDBBatchResponse;
}
