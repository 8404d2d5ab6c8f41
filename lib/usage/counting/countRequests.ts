import { crc32 } from 'node:zlib';
import { IdempotentParameterMismatchException } from '@aws-sdk/client-dynamodb';
import { fewAtOnce } from '../../concurrency.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { absentOrBelow } from '../../dynamodb/expressions.ts';
import { usage } from '../../dynamodb/tables.ts';
import { transact, writePut, writeUpdate } from '../../dynamodb/transact.ts';
import { log } from '../../logs/log.ts';
import { counts } from '../../logs/metrics.ts';
import {
  dayOf,
  dayParts,
  daysPartition,
  failPartition,
  hourOf,
  keysPartition,
  startOf,
  usageExpiryOf,
} from '../usageKeys.ts';
import { type Counting, countingsOf, listedOf, reasonsOf } from './groups.ts';
import {
  type AccessLine,
  type Batch,
  type FailureLine,
  type LogsEvent,
  type RefusedLine,
  type RequestLine,
  readBatch,
} from './logLines.ts';
import type { Routes } from './routes.ts';

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

/** The items that this process has written. Another process writes them again. */
const written = new Set<string>();

/** How many names the set holds before it is emptied. It only saves writes. */
const writtenMax = 50_000;

/**
 * Records on which day each key was used, in which hour its secrets, and which keys were refused because they have ended. Call it before
 * counting, so that every counted key can be found.
 */
async function noteUsed(lines: readonly (AccessLine | RefusedLine)[]): Promise<void> {
  const notes = new Map<string, () => Promise<unknown>>();
  for (const line of lines) {
    const { account, key, at } = line;
    const [day, hour] = [dayOf(at), hourOf(at)];
    notes.set(`${day} ${account} ${key}`, () => noteDay(day, account, key));
    if ('secret' in line)
      notes.set(`${hour} ${account} ${key} ${line.secret}`, () => noteHour(hour, account, key, line.secret));
    else notes.set(`${account} ${key}`, () => noteRefused(account, key));
  }
  const missing = [...notes].filter(([name]) => !written.has(name));
  await fewAtOnce(missing, async ([name, write]) => {
    await write();
    if (written.size >= writtenMax) written.clear();
    written.add(name);
  });
}

const partOf = (account: string, key: string): number => crc32(`${account}#${key}`) % dayParts;

const noteDay = (day: string, account: string, key: string): Promise<unknown> => {
  const keys = { pk: daysPartition(day, partOf(account, key)), sk: `${account}#${key}` };
  return writePut(usage.put({ ...keys, ttl: usageExpiryOf(startOf(day), 'hour') }));
};

const noteRefused = (account: string, key: string): Promise<unknown> =>
  writePut(usage.put({ pk: keysPartition(account), sk: `${key}#` }));

/** Records the hour. An earlier hour that arrives late changes nothing. */
const noteHour = (hour: string, account: string, key: string, secret: string): Promise<unknown> => {
  const keys = { pk: keysPartition(account), sk: `${key}#${secret}` };
  return writeUpdate(usage.update(keys, { hour }, { if: { hour: absentOrBelow(hour) } }));
};
