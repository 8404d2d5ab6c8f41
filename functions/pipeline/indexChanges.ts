import type { DynamoDBRecord } from 'aws-lambda';
import { batchHandler } from '../../lib/aws/batchHandler.ts';
import { appendChanges } from '../../lib/feed/appendChanges.ts';
import { indexAfterDeadlineMs, indexChanges } from '../../lib/filterIndex/indexChanges.ts';
import { logIndexed } from '../../lib/filterIndex/lag.ts';
import { readChanges } from '../../lib/records/streamed.ts';

/** Appends changes of records to the change feed, which is cheap, and updates the index of filters. */
export const handler = batchHandler<DynamoDBRecord>(
  'indexChanges',
  indexAfterDeadlineMs,
  async (records, deadline) => {
    const { changes, unreadable } = readChanges(records);
    const work = [appendChanges(changes, deadline), indexChanges(changes, deadline)] as const;
    const [unnumbered, { failed, deferred }] = await Promise.all(work);
    const left = [...new Set([...unreadable, ...unnumbered, ...failed])];
    logIndexed(records, left, deferred);
    return left;
  },
);
