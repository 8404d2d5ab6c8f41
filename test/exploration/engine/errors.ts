import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import type { Call } from './actor.ts';

// The errors of the SDK. None has a stack: making it would take most of the time of an exploration.

function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The SDK has sent a call three times, and got no answer. */
export const timeoutError = (): Error =>
  withoutStack(() => Object.assign(new Error('No answer'), { name: 'TimeoutError' }));

export const refusedError = (attempts: number, refusal: { Item?: Record<string, never> }) =>
  withoutStack(
    () =>
      new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        $metadata: { attempts },
        ...refusal,
      }),
  );

export const cancelledError = (CancellationReasons: { Code: string }[]) =>
  withoutStack(
    () =>
      new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: {},
        CancellationReasons,
      }),
  );

/** The error of a write that meets another one at some items. */
export const conflictError = (call: Call, contested: readonly string[]): Error =>
  call.isTransaction
    ? cancelledError(
        call.writes.map((name) => ({ Code: contested.includes(name) ? 'TransactionConflict' : 'None' })),
      )
    : withoutStack(() => new TransactionConflictException({ message: 'Conflict', $metadata: {} }));
