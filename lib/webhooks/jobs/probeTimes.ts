const hourMs = 3_600_000;

/**
 * The time between two probes: an hour on the first day, five hours after that. Five hours find also a receiver that works at the same
 * hours of every day: each probe comes at another hour, until the sixth day. @param runs how many were made
 */
export const betweenMs = (runs: number): number => (runs < 24 ? hourMs : 5 * hourMs);

/** When the first probe comes. */
export const firstProbeAt = (now: number): Date => new Date(now + betweenMs(0));
