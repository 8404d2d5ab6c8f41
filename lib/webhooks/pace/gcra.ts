// The generic cell rate algorithm (ITU-T I.371): a leaky bucket of which only one time is stored, the theoretical arrival time of the next attempt.

/**
 * How early an attempt may be for its slot. As long as the unit of the delays of SQS: a delay rounded up to whole seconds is never
 * later than the slot.
 */
export const toleranceMs = 1000;

/** A reservation of slots, which are evenly spaced. Times are epoch milliseconds. */
export interface Slots {
  /** When each attempt may begin, oldest first. */
  startAt: number[];
  /** The theoretical arrival time of the attempt after these. */
  next: number;
}

/**
 * Reserves the next slots. In a span of T seconds, at most `rate × (T + 1) + 1` of all attempts begin.
 * @param arrival the theoretical arrival time of the first of them; undefined when none was reserved before
 * @param rate attempts per second
 */
export function reserveSlots(arrival: number | undefined, now: number, rate: number, count: number): Slots {
  const first = Math.max(now, arrival ?? now);
  const intervalMs = 1000 / rate;
  return {
    startAt: Array.from({ length: count }, (_, i) => Math.max(now, first + i * intervalMs - toleranceMs)),
    next: first + count * intervalMs,
  };
}

/** How many slots are free before a time, at least one. */
export const slotsBefore = (end: number, arrival: number | undefined, now: number, rate: number): number =>
  Math.max(1, Math.floor(((end - Math.max(now, arrival ?? now)) * rate) / 1000));
