import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionConflictException } from '@aws-sdk/client-dynamodb';

/** Waits a random time of up to `maxMs`, at least a millisecond: those who lost a race must not start the next one together. */
export const pause = (maxMs: number): Promise<void> => sleep(1 + Math.random() * (maxMs - 1));

const triesMax = 8;

/** Repeats a single write that came while a transaction was at its item, which the SDK does not. Transactions are short. */
export async function despiteConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || tries === triesMax) throw error;
      await pause(5 * 2 ** tries);
    }
  }
}
