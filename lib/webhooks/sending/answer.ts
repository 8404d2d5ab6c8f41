import type { Failure, Outcome } from './attempt.ts';

/** An answer as far as it came. */
export interface Answer {
  status: number | null;
  retryAfter: string | undefined;
  /** Its first bytes. */
  start: Uint8Array;
  /** Why it is not all that was to be read. */
  failure: Failure | undefined;
}

export const noAnswer: Answer = {
  status: null,
  retryAfter: undefined,
  start: Buffer.alloc(0),
  failure: undefined,
};

/** A status other than 2xx stands, however its answer ends. */
export function outcomeOf({ status, failure }: Answer): Outcome {
  if (status === null || (status >= 200 && status < 300)) return failure ?? 'success';
  // Node takes 101 and whatever is below 100 for answers too.
  if (status < 200) return 'connection_error';
  return status < 400 ? 'redirect' : 'http_error';
}
