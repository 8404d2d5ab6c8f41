/** Why an attempt ended before its answer had. */
export type Failure = 'timeout' | 'blocked_address' | 'dns_error' | 'tls_error' | 'connection_error';

export type Outcome = 'success' | 'http_error' | 'redirect' | Failure;

/** One try to hand a message to its receiver. */
export interface Attempt {
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string;
  duration_ms: number;
  /** Of the answer, also when the attempt failed after that; null when none came. */
  http_status: number | null;
  outcome: Outcome;
  /** The beginning of the answer's body; null when there was none. */
  response_excerpt: string | null;
}
