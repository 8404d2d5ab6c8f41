/** Headers that every answer carries, the gateway's own answers included. `X-Request-Id` comes on top, with its value. */
export const answerHeaders = {
  /** Personal data behind a key has no business in any cache. */
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const requestIdHeader = 'X-Request-Id';
