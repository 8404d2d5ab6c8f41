// The schedules of a delivery that its receiver refuses, and of a receiver that is down.

const minute = 60;
const hour = 60 * minute;

/** The seconds to wait after each attempt that failed: 13 attempts in 71 h 51 min and 5 s. */
export const delaysSeconds = [
  ...[5, minute, 5 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 20 * hour, 24 * hour],
];

/** The seconds before each try of a receiver that is down; the last of them before all further ones. */
const probeDelays = [5, 30, minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 5 * hour];

/**
 * How much longer a delay may be, as a fraction of it. So deliveries that failed together are not retried together, and a receiver that
 * works only for some minutes of each hour is reached at some time.
 */
const jitter = 0.1;

const later = (now: number, delaySeconds: number): number =>
  now + delaySeconds * 1000 * (1 + jitter * Math.random());

/** Returns whether a delivery has made all attempts of its schedule. @param tries how many were made */
export const isOver = (tries: number): boolean => tries > delaysSeconds.length;

/** The longest delay that a receiver can ask for. */
const retryAfterMaxMs = 24 * hour * 1000;

/**
 * Returns when the next attempt is due, in epoch milliseconds. After the schedule, the last delay is repeated.
 * @param tries how many were made
 * @param retryAfter what the receiver asked for, in the form of the header
 */
export function nextAttemptAt(tries: number, now: number, retryAfter?: string): number {
  const planned = later(now, delaysSeconds[tries - 1] ?? 24 * hour);
  return Math.max(planned, now + Math.min(waitOf(retryAfter, now), retryAfterMaxMs));
}

/** The milliseconds that a Retry-After asks to wait (RFC 9110 § 10.2.3): seconds, or a date. Anything else counts as 0. */
function waitOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = /[A-Za-z]/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? 0 : date - now;
}

/** Returns when a receiver is tried next. @param probes how often it was tried since it is down */
export const nextProbeAt = (probes: number, now: number): string =>
  new Date(later(now, probeDelays[Math.min(probes, probeDelays.length - 1)] as number)).toISOString();

/** The subscription of a receiver that is down for so long is suspended. */
export const suspendedAfterMs = 72 * hour * 1000;
