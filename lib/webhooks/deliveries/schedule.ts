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

/** A delivery that was parked gets only the first attempts of the schedule: five in 21 min. */
const attemptsAfterParking = 5;

/** Whether a delivery has attempts left. @param attempts as for `nextAttemptAt` */
export const isOver = (attempts: number, wasParked: boolean): boolean =>
  wasParked ? attempts >= attemptsAfterParking : attempts > delaysSeconds.length;

/**
 * When the next attempt is due, in epoch milliseconds; undefined when the last one has been made.
 * @param attempts how many were made since the schedule started, with postponements
 * @param retryAfter what the receiver asked for, in the form of the header
 */
export function nextAttemptAt(attempts: number, now: number, retryAfter?: string): number | undefined {
  const delaySeconds = delaysSeconds[attempts - 1];
  if (delaySeconds === undefined) return undefined;
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
