/** Why an attempt ended before its answer was complete. */
export type Failure =
  | 'timeout'
  | 'blocked_address'
  | 'dns_error'
  | 'tls_error'
  | 'connection_error'
  | 'protocol_error';

export type Outcome = 'success' | 'http_error' | 'redirect' | Failure;

/** One request to a receiver. */
export interface Attempt {
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string;
  duration_ms: number;
  /** The status of the answer, also when the attempt failed after it; null without an answer. */
  http_status: number | null;
  outcome: Outcome;
  /** The beginning of the answer's body; of a compressed one, its encoding; null when it is empty. */
  response_excerpt: string | null;
}
