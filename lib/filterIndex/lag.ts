import type { DynamoDBRecord } from 'aws-lambda';
import { log } from '../logs/log.ts';
import { conflictMetrics, lateness } from '../logs/metrics.ts';
import { notedAtMs } from '../records/change.ts';

/**
 * Logs a batch of changes with the age of the oldest one that the index now contains. If it contains none, the line has no age. Lambda's
 * IteratorAge shows how long failing changes have waited, and the age of the messages shows how long deferred changes have waited.
 * @param deferred the changes of the batch that are now in the queue
 */
export function logIndexed(
  records: readonly DynamoDBRecord[],
  failed: readonly string[],
  deferred: readonly string[] = [],
): void {
  const left = new Set([...failed, ...deferred]);
  const indexed = records.filter(({ dynamodb }) => !left.has(dynamodb?.SequenceNumber as string));
  const times = indexed.map(notedAtMs);
  log.info('indexed', {
    records: records.length,
    failed: failed.length,
    ...(deferred.length > 0 ? { deferred: deferred.length } : {}),
    ...(times.length > 0
      ? lateness('index_lag_seconds', Date.now() - Math.min(...times))
      : conflictMetrics()),
  });
}
