const minute = 60;
const hour = 60 * minute;

/** The seconds to wait after each attempt that failed: 13 attempts in 71 h 51 min and 5 s. */
export const delaysSeconds = [
  5,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  20 * hour,
  24 * hour,
];

/** How much later than planned an attempt may be, as a part of the delay: what failed together is not tried again together. */
const jitter = 0.1;

/** The longest delay that a receiver can ask for. */
const retryAfterMaxMs = 24 * hour * 1000;

/** Whether a delivery has made all attempts of the schedule. @param tries how many were made */
export const isOver = (tries: number): boolean => tries > delaysSeconds.length;

/**
 * When the next attempt is due, in epoch milliseconds. After the schedule, the last delay is repeated.
 * @param tries how many were made
 * @param retryAfter what the receiver asked for, in the form of the header
 */
export function nextAttemptAt(tries: number, now: number, retryAfter?: string): number {
  const delaySeconds = delaysSeconds[tries - 1] ?? 24 * hour;
  const planned = now + delaySeconds * 1000 * (1 + jitter * Math.random());
  return Math.max(planned, now + Math.min(waitOf(retryAfter, now), retryAfterMaxMs));
}

/** The milliseconds that a Retry-After asks to wait (RFC 9110 § 10.2.3): seconds, or a date. Anything else counts as 0. */
function waitOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = /[A-Za-z]/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? 0 : date - now;
}
