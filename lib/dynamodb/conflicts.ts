import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { noteConflict } from '../logs/metrics.ts';

/** Waits a random time from 1 ms to `maxMs`, so that writers that conflicted do not meet again. */
export const pause = (maxMs: number): Promise<void> => sleep(1 + Math.random() * (maxMs - 1));

const conflictPauseMs = 20;

/**
 * Repeats a read and a commit until the commit succeeds. It tries once even after the deadline.
 * @param commit resolves to undefined if another write was faster
 */
export async function untilCommitted<T extends object | string>(
  deadline: number,
  commit: () => Promise<T | undefined>,
): Promise<T> {
  do {
    const committed = await commit();
    if (committed) return committed;
    noteConflict();
    await pause(conflictPauseMs);
  } while (Date.now() < deadline);
  throw new Error('The deadline passed while others were at the same items');
}

/** How long to wait before a retry if the database is busy or unreachable. */
const passingPauseMs = 500;

const conflictPauseMaxMs = 1000;

/**
 * Repeats a step while something is left. It pauses after a conflict, twice as long after each further one.
 * @param until epoch milliseconds; conflicts and transient errors are retried until then
 * @param step resolves to false after a conflict
 */
export async function whileLeft(
  until: number,
  isLeft: () => boolean,
  step: () => Promise<boolean>,
): Promise<void> {
  for (let conflicts = 0; isLeft() && Date.now() <= until; ) {
    try {
      conflicts = (await step()) ? 0 : conflicts + 1;
      if (conflicts > 0) await pause(Math.min(conflictPauseMaxMs, conflictPauseMs * 2 ** (conflicts - 1)));
    } catch (error) {
      if (!isTransient(error) || Date.now() > until) throw error;
      await pause(passingPauseMs);
    }
  }
}

const triesMax = 8;

/** The item that made a condition fail. If `repeated`, an earlier attempt may have taken effect although its response was lost. */
export interface ConditionFailure {
  item: Record<string, unknown> | undefined;
  repeated: boolean;
}

/** The result of a conditional write: it took effect, or its condition refused it. */
export type Written<Answer> =
  | { committed: true; answer: Answer; refused?: undefined }
  | { committed: false; answer?: undefined; refused: ConditionFailure };

/** Makes a single conditional write. If a transaction is using its item, the write is repeated, which the SDK does not do. Transactions are short. */
export async function writeIf<Answer>(write: () => Promise<Answer>): Promise<Written<Answer>> {
  let repeated = false;
  for (let tries = 1; ; tries++) {
    try {
      return { committed: true, answer: await write() };
    } catch (error) {
      if (!(error instanceof DynamoDBServiceException)) throw error;
      repeated ||= (error.$metadata.attempts ?? 1) > 1;
      if (error instanceof ConditionalCheckFailedException)
        return { committed: false, refused: { item: error.Item && unmarshall(error.Item), repeated } };
      if (!(error instanceof TransactionConflictException) || tries === triesMax) throw error;
      noteConflict();
      await pause(5 * 2 ** tries);
    }
  }
}

/** Errors that ask for a later retry. The call had no effect, or its token makes it take effect once. */
const busy = new Set([
  'BusyError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);

/** The database repeatedly left a part of a batch undone. The SDK does not treat this as an error. */
export class BusyError extends Error {
  override name = 'BusyError';
}

export const isBusy = (error: unknown): boolean => error instanceof Error && busy.has(error.name);

const transient = new Set([
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'TransactionConflictException',
]);

/** Returns whether an error only means that the database is busy or unreachable at the moment. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Error && (isBusy(error) || transient.has(error.name) || isSystemError(error));

/** Matches system codes such as ECONNRESET. Node's own codes begin with ERR_ and report mistakes in programs. */
const isSystemError = ({ code }: NodeJS.ErrnoException): boolean => /^E[A-Z]+$/.test(code ?? '');
