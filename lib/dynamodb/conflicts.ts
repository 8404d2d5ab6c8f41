import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** Waits a random time of up to `maxMs`, at least a millisecond: those who lost a race must not start the next one together. */
export const pause = (maxMs: number): Promise<void> => sleep(1 + Math.random() * (maxMs - 1));

const triesMax = 8;

/**
 * Makes a single write with a condition. One that came while a transaction was at its item is repeated, which the SDK
 * does not do; transactions are short.
 * @returns what refused the write by its condition, undefined when the write took place
 */
export async function writeIf(
  write: () => Promise<unknown>,
): Promise<{ item: Record<string, unknown> | undefined } | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      await write();
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        return { item: error.Item && unmarshall(error.Item) };
      if (!(error instanceof TransactionConflictException) || tries === triesMax) throw error;
      await pause(5 * 2 ** tries);
    }
  }
}

const passing = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  'TimeoutError',
  'TransactionConflictException',
]);

/** True of an error that says nothing but that the database is busy, or out of reach, just now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Error && (passing.has(error.name) || isSystemError(error));

/** ECONNRESET and its like. Node's own codes, of mistakes in programs, begin with ERR_. */
const isSystemError = ({ code }: NodeJS.ErrnoException): boolean => /^E[A-Z]+$/.test(code ?? '');
