import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { noteConflict } from '../metrics.ts';

/** Waits a random time of up to `maxMs`, at least a millisecond: those who lost a race must not start the next one together. */
export const pause = (maxMs: number): Promise<void> => sleep(1 + Math.random() * (maxMs - 1));

/** Those who lost a race to each other pause about this long. */
const conflictPauseMs = 20;

/**
 * Repeats reading, deciding and committing while others come in between.
 * @param commit resolves to undefined when somebody else was faster
 * @param deadline epoch milliseconds
 */
export async function untilCommitted<T extends object>(
  deadline: number,
  commit: () => Promise<T | undefined>,
): Promise<T> {
  while (Date.now() < deadline) {
    const committed = await commit();
    if (committed) return committed;
    noteConflict();
    await pause(conflictPauseMs);
  }
  throw new Error('The deadline passed while others were at the same items');
}

const triesMax = 8;

/** What a condition refused. `repeated` says that the write may have taken effect before, and its answer got lost. */
export interface Refusal {
  item: Record<string, unknown> | undefined;
  repeated: boolean;
}

/**
 * Makes a single write with a condition. One that came while a transaction was at its item is repeated, which the SDK
 * does not do; transactions are short.
 * @returns what refused the write by its condition, undefined when the write took place
 */
export async function writeIf(write: () => Promise<unknown>): Promise<Refusal | undefined> {
  let repeated = false;
  for (let tries = 1; ; tries++) {
    try {
      await write();
      return undefined;
    } catch (error) {
      if (!(error instanceof DynamoDBServiceException)) throw error;
      repeated ||= (error.$metadata.attempts ?? 1) > 1;
      if (error instanceof ConditionalCheckFailedException)
        return { item: error.Item && unmarshall(error.Item), repeated };
      if (!(error instanceof TransactionConflictException) || tries === triesMax) throw error;
      noteConflict();
      await pause(5 * 2 ** tries);
    }
  }
}

/** Names of the errors that ask to come again a little later. The call has had no effect, or its token makes it have one only. */
const busy = new Set([
  'BusyError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);

/** The database left something undone again and again, without calling that an error. */
export class BusyError extends Error {
  override name = 'BusyError';
}

/** True of an error that says nothing but that the database has too much to do. */
export const isBusy = (error: unknown): boolean => error instanceof Error && busy.has(error.name);

const passing = new Set([
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'TransactionConflictException',
]);

/** True of an error that says nothing but that the database is busy, or out of reach, just now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Error && (isBusy(error) || passing.has(error.name) || isSystemError(error));

/** ECONNRESET and its like. Node's own codes, of mistakes in programs, begin with ERR_. */
const isSystemError = ({ code }: NodeJS.ErrnoException): boolean => /^E[A-Z]+$/.test(code ?? '');
