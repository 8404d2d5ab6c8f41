import type { Failure, Outcome } from './attempt.ts';

/** The answer of a receiver, or the part of it that was received. */
export interface Answer {
  status: number | null;
  retryAfter: string | undefined;
  /** Its first bytes. */
  start: Uint8Array;
  /** Why it was not read to its end. */
  failure: Failure | undefined;
}

export const noAnswer: Answer = {
  status: null,
  retryAfter: undefined,
  start: Buffer.alloc(0),
  failure: undefined,
};

/** A status other than 2xx counts even if the connection fails later. */
export function outcomeOf({ status, failure }: Answer): Outcome {
  if (status === null || (status >= 200 && status < 300)) return failure ?? 'success';
  // Node accepts 101 and statuses below 100 as final answers.
  if (status < 200) return 'connection_error';
  return status < 400 ? 'redirect' : 'http_error';
}
