/** Headers of every answer, with those of the gateway itself. `X-Request-Id` is added with its value. */
export const answerHeaders = {
  /** No cache may keep personal data. */
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const requestIdHeader = 'X-Request-Id';
