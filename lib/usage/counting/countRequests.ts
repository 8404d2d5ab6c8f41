import { IdempotentParameterMismatchException } from '@aws-sdk/client-dynamodb';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { transact } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { linesCounted } from '../../logs/metrics.ts';
import { type Counting, countingsOf } from './groups.ts';
import { keepFailures } from './keepFailures.ts';
import { type LogsEvent, readBatch } from './lines.ts';
import type { Routes } from './routes.ts';
import { noteUsed } from './used.ts';

/**
 * Counts the requests in a batch of log lines, and keeps those that failed. The same batch again counts nothing, for ten minutes:
 * Lambda repeats a failed batch after one and after three minutes.
 * @param deadline epoch milliseconds
 * @throws when a part of the batch was not written
 */
export async function countRequests(event: LogsEvent, routes: Routes, deadline: number): Promise<void> {
  const batch = readBatch(event, routes);
  await noteUsed(batch.access);
  for (const counting of countingsOf(batch)) await count(counting, deadline);
  // After the counts: the failures of one account may be too many for its partition, and must not delay the counts of others.
  await keepFailures(batch.access, batch.failures);
  log.info('counted', linesCounted({ lines: batch.ids.length, unreadable: batch.unreadable }));
}

const count = ({ token, actions }: Counting, deadline: number): Promise<unknown> =>
  untilCommitted(deadline, async () => {
    try {
      return (await transact(actions, token)).committed ? {} : undefined;
    } catch (error) {
      // It was counted by a release that counts in another way.
      if (error instanceof IdempotentParameterMismatchException) return {};
      throw error;
    }
  });
