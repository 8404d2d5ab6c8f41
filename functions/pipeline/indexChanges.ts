import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { appendChanges } from '../../lib/changes/append.ts';
import { indexChanges } from '../../lib/index/indexChanges.ts';
import { logIndexed } from '../../lib/index/lag.ts';
import { setLogContext } from '../../lib/log.ts';
import { readChanges } from '../../lib/records/streamed.ts';

const reserveMs = 5_000;

/** Changes of records → the index of filters and the feed of changes. Of a batch only that comes again which failed. */
export async function handler({ Records }: DynamoDBStreamEvent, context: Context) {
  setLogContext({ operation: 'indexChanges', request_id: context.awsRequestId });
  const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
  const { changes, unreadable } = readChanges(Records);
  const left = await Promise.all([indexChanges(changes, deadline), appendChanges(changes, deadline)]);
  const failed = [...new Set([...unreadable, ...left.flat()])];
  logIndexed(Records, failed);
  const batchItemFailures = failed.map((itemIdentifier) => ({ itemIdentifier }));
  return { batchItemFailures } satisfies DynamoDBBatchResponse;
}
