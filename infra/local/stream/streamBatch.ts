import { setTimeout as sleep } from 'node:timers/promises';
import type { Lambda } from '../lambda/lambda.ts';
import { failuresIn } from '../queue/batchFailures.ts';
import type { Change } from './streamClient.ts';

/** Why changes are discarded, and after how many invocations. */
export interface DiscardReason {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
}

export interface BatchSettings {
  lambda: Pick<Lambda, 'invoke'>;
  retriesMax: number;
  ageMaxMs: number;
  /** Called when all changes up to this one are handled. */
  reached(change: Change): void;
  /** Called with changes that have used up their retries or are too old. */
  discard(changes: Change[], reason: DiscardReason): void;
}

/** A part of a batch, for one invocation. */
interface Piece {
  changes: Change[];
  retries: number;
}

/** How long to wait before the first retry. The wait doubles each time. */
const pauseMs = 100;
const pauseMaxMs = 10_000;

/**
 * Invokes the function until all changes of the batch are handled or discarded.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 * @returns false if the signal aborted first
 */
export async function processBatch(
  delivery: BatchSettings,
  changes: Change[],
  signal: AbortSignal,
): Promise<boolean> {
  const pieces: Piece[] = [{ changes, retries: 0 }];
  for (;;) {
    const piece = pieces.shift();
    if (!piece) return true;
    if (signal.aborted) return false;
    const done = await invoke(delivery, piece.changes);
    const last = piece.changes[(done ?? 0) - 1];
    if (last) delivery.reached(last);
    if (done === piece.changes.length) continue;
    // The invocation may have failed because the stack stops, which does not count as an attempt.
    if (signal.aborted) return false;
    const rest = remaining(delivery, piece, done);
    pieces.unshift(...rest);
    if (rest.length > 0)
      await sleep(Math.min(pauseMaxMs, pauseMs * 2 ** piece.retries), undefined, { signal }).catch(() => {});
  }
}

/** @returns how many changes are handled, counted from the first; undefined if the whole invocation failed */
async function invoke({ lambda }: BatchSettings, changes: Change[]): Promise<number | undefined> {
  // The function's log contains the error.
  const result = await lambda.invoke({ Records: changes }).catch(() => undefined);
  if (result === undefined) return undefined;
  const numbers = changes.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = failuresIn(result, numbers);
  if (failed?.size === 0) return changes.length;
  return failed && numbers.findIndex((number) => failed.has(number));
}

/** Returns the pieces to try next after a failure. As on AWS, a split does not count as a retry. */
function remaining(delivery: BatchSettings, { changes, retries }: Piece, done: number | undefined): Piece[] {
  if (done) return [{ changes: changes.slice(done), retries }];
  if (done === undefined && changes.length > 1) {
    const middle = Math.ceil(changes.length / 2);
    return [changes.slice(0, middle), changes.slice(middle)].map((half) => ({ changes: half, retries }));
  }
  const retriesExhausted = retries >= delivery.retriesMax;
  if (!retriesExhausted && ageOf(changes) <= delivery.ageMaxMs) return [{ changes, retries: retries + 1 }];
  const condition = retriesExhausted ? 'RetryAttemptsExhausted' : 'RecordAgeExceeded';
  delivery.discard(changes, { condition, invocations: retries + 1 });
  delivery.reached(changes.at(-1) as Change);
  return [];
}

/**
 * Returns the age of the oldest change in milliseconds. It is checked only after a failure, because a machine that was off for a weekend must
 * not discard changes that were never tried.
 */
const ageOf = ([oldest]: Change[]): number =>
  Date.now() - (oldest?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000;
