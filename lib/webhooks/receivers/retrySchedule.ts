// The retry schedule of a delivery that its receiver refuses, and the probe schedule of a receiver that is down.

const minute = 60;
const hour = 60 * minute;

/** The seconds to wait after each failed attempt: 13 attempts in 71 h 51 min and 5 s. */
export const delaysSeconds = [
  ...[5, minute, 5 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 20 * hour, 24 * hour],
];

/** The seconds before each probe of a receiver that is down. The last value applies to all further probes. */
const probeDelays = [5, 30, minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 5 * hour];

/**
 * The most that a delay is extended, as a fraction of the delay. Deliveries that failed together are therefore not retried together. A receiver
 * that works only for some minutes of each hour is also reached eventually.
 */
const jitter = 0.1;

const later = (now: number, delaySeconds: number): number =>
  now + delaySeconds * 1000 * (1 + jitter * Math.random());

/** Returns whether a delivery has made all attempts of its schedule. @param tries how many were made */
export const isOver = (tries: number): boolean => tries > delaysSeconds.length;

/** The longest delay that a receiver can request. */
const retryAfterMaxMs = 24 * hour * 1000;

/**
 * Returns when the next attempt is due, in epoch milliseconds. After the schedule, the last delay is repeated.
 * @param tries how many attempts were made
 * @param retryAfter the value of the receiver's Retry-After header
 */
export function nextAttemptAt(tries: number, now: number, retryAfter?: string): number {
  const planned = later(now, delaysSeconds[tries - 1] ?? 24 * hour);
  return Math.max(planned, now + Math.min(waitOf(retryAfter, now), retryAfterMaxMs));
}

/** Returns the milliseconds that a Retry-After requests (RFC 9110 § 10.2.3): seconds, or a date. Anything else counts as 0. */
function waitOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = /[A-Za-z]/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? 0 : date - now;
}

/** Returns when a receiver is probed next. @param probes how often it was probed since it went down */
export const nextProbeAt = (probes: number, now: number): string =>
  new Date(later(now, probeDelays[Math.min(probes, probeDelays.length - 1)] as number)).toISOString();

/** A subscription is suspended if its receiver is down for this long. */
export const suspendedAfterMs = 72 * hour * 1000;
