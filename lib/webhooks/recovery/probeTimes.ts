const hourMs = 3_600_000;

/** The time between two probes: an hour on the first day, a day after that. @param runs how many were made */
export const betweenMs = (runs: number): number => (runs < 24 ? hourMs : 24 * hourMs);

/** When the first probe comes. */
export const firstProbeAt = (now: number): Date => new Date(now + betweenMs(0));
