import { IdempotentParameterMismatchException } from '@aws-sdk/client-dynamodb';
import { fewAtOnce } from '../../concurrency.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { usage } from '../../dynamodb/tables.ts';
import { transact, writeUpdate } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import { failPartition, usageExpiryOf } from '../usageKeys.ts';
import { type Counting, countingsOf, listedOf, reasonsOf } from './groups.ts';
import { type Batch, type FailureLine, type LogsEvent, type RequestLine, readBatch } from './logLines.ts';
import type { Routes } from './routes.ts';
import { noteUsed } from './used.ts';

/**
 * Counts the requests in a batch of log lines, and stores those that failed. A repeated batch counts nothing for ten minutes, which is enough:
 * Lambda repeats a failed batch after one and after three minutes.
 * @throws if a part of the batch was not written
 */
export async function countRequests(event: LogsEvent, routes: Routes, deadline: number): Promise<void> {
  const batch = readBatch(event, routes);
  await countBatch(batch, deadline);
  log.info('counted', { lines: batch.ids.length, ...counts('unreadable_lines', batch.unreadable) });
}

/** Counts the requests of a batch, and stores those that failed. @throws if a part of it was not written */
export async function countBatch(batch: Batch, deadline: number): Promise<void> {
  await noteUsed([...batch.access, ...batch.refused]);
  for (const counting of countingsOf(batch)) await count(counting, deadline);
  // Runs after the counts: one account may have too many failures for its partition, and they must not delay the counts of others.
  await keepFailures(batch);
}

const count = ({ token, actions }: Counting, deadline: number): Promise<unknown> =>
  untilCommitted(deadline, async () => {
    try {
      return (await transact(actions, token)).committed ? {} : undefined;
    } catch (error) {
      // The same token with other actions means that another release has counted this batch in its own format.
      if (error instanceof IdempotentParameterMismatchException) return {};
      throw error;
    }
  });

/** Stores failed requests. Lines of the access log and of the functions add to the same items, in any order and any number of times. */
async function keepFailures({ access, failures, refused }: Batch): Promise<void> {
  await fewAtOnce(
    [
      ...listedOf(access).map((line) => [line, { gateway_ms: line.ms }] as const),
      ...listedOf(refused).map((line) => [line, { gateway_ms: line.ms, ...reasonOf(line) }] as const),
      ...reasonsOf(failures).map((line) => [line, reasonOf(line)] as const),
    ],
    ([line, more]) => keep(line, more),
  );
}

const reasonOf = ({ message, missingScope, problems }: FailureLine) => ({
  ...(message === undefined ? {} : { message }),
  ...(missingScope === undefined ? {} : { missing_scope: missingScope }),
  ...(problems.length === 0 ? {} : { problems }),
});

const keep = (
  { account, key, at, requestId, operation, method, path, status }: RequestLine,
  more: Record<string, unknown>,
) =>
  writeUpdate(
    usage.update(
      { pk: failPartition(account), sk: `${new Date(at).toISOString()}#${requestId}` },
      {
        request_id: requestId,
        key_id: key,
        operation,
        method,
        path,
        status,
        ttl: usageExpiryOf(at, 'failure'),
        ...more,
      },
    ),
  );
