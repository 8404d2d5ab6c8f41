/** Headers of every response, including those of the gateway itself. The value of `X-Request-Id` is added later. */
export const answerHeaders = {
  /** No cache may store personal data. */
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const requestIdHeader = 'X-Request-Id';
