import type { IncomingHttpHeaders } from 'node:http';

/** A request that was answered. */
export interface AnsweredRequest {
  method: string;
  /** Without the query. */
  path: string;
  headers: IncomingHttpHeaders;
  status: number;
  durationMs: number;
}

/** The line that the local stack prints for a request. It says what is likely wrong where the answer may not. */
export function requestLine({ method, path, headers, status, durationMs }: AnsweredRequest): string {
  const line = `${method} ${path} ${status} ${durationMs.toFixed(0)} ms`;
  const isElsewhere =
    status === 401 && headers.authorization !== undefined && headers['x-api-key'] === undefined;
  return isElsewhere ? `${line}: a key is read from X-Api-Key, and not from Authorization` : line;
}
