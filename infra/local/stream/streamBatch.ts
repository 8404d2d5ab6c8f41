import { setTimeout as sleep } from 'node:timers/promises';
import type { Lambda } from '../lambda/lambda.ts';
import { failuresIn } from '../queue/batchFailures.ts';
import type { Change } from './streamClient.ts';

/** Why changes are given up, and after how many invocations. */
export interface DiscardReason {
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
}

/** How a batch of changes is handed over, and when it is given up. */
export interface BatchSettings {
  lambda: Pick<Lambda, 'invoke'>;
  reportsFailures: boolean;
  bisects: boolean;
  retriesMax: number;
  ageMaxMs: number;
  /** All changes up to this one are handled. */
  reached(change: Change): void;
  /** These were tried so often, or for so long, that others must not wait any longer. */
  discard(changes: Change[], reason: DiscardReason): void;
}

/** A part of a batch that is handed over at once. */
interface Piece {
  changes: Change[];
  retries: number;
}

/** Before the first retry; twice as long before each further one. */
const pauseMs = 100;
const pauseMaxMs = 10_000;

/**
 * Hands a batch over until the function is done with all of it, or it is given up.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 * @returns false when all ended before that
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
    // What failed now was perhaps only stopped, and that is no try.
    if (signal.aborted) return false;
    const rest = remaining(delivery, piece, done);
    pieces.unshift(...rest);
    if (rest.length > 0)
      await sleep(Math.min(pauseMaxMs, pauseMs * 2 ** piece.retries), undefined, { signal }).catch(() => {});
  }
}

/** @returns how many changes from the first on the function is done with; undefined when the invocation failed as a whole */
async function invoke(
  { lambda, reportsFailures }: BatchSettings,
  changes: Change[],
): Promise<number | undefined> {
  // What the function wrote about its failure is in its log.
  const result = await lambda.invoke({ Records: changes }).catch(() => undefined);
  if (result === undefined) return undefined;
  if (!reportsFailures) return changes.length;
  const numbers = changes.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = failuresIn(result, numbers);
  if (failed?.size === 0) return changes.length;
  return failed && numbers.findIndex((number) => failed.has(number));
}

/** What to try next of a piece that failed. A split counts as no retry, on AWS neither. */
function remaining(delivery: BatchSettings, { changes, retries }: Piece, done: number | undefined): Piece[] {
  if (done) return [{ changes: changes.slice(done), retries }];
  if (done === undefined && delivery.bisects && changes.length > 1) {
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
 * Milliseconds since the oldest change. It only ends retries: unlike AWS, which never stops, a machine that was off for a
 * weekend must not give up what nobody has tried.
 */
const ageOf = ([oldest]: Change[]): number =>
  Date.now() - (oldest?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000;
