// The keys of items, and the times in these keys.

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export const usageKeptMs = { hour: 35 * dayMs, day: 400 * dayMs, failure: 14 * dayMs } as const;

/** `2026-03-01T09`. @param ms epoch milliseconds */
export const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

/** `2026-03-01`. @param ms epoch milliseconds */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the start of an hour or a day, in epoch milliseconds. */
export const startOf = (hourOrDay: string): number =>
  Date.parse(hourOrDay.length > 10 ? `${hourOrDay}:00Z` : `${hourOrDay}T00:00Z`);

/** Returns the expiry of an item, in epoch seconds. It depends only on the item, so that a repetition writes the same. */
export const usageExpiryOf = (startMs: number, kept: keyof typeof usageKeptMs): number =>
  Math.ceil((startMs + usageKeptMs[kept]) / 1000);

export const usePartition = (account: string, key: string): string => `use#${account}#${key}`;
export const keysPartition = (account: string): string => `keys#${account}`;
export const failPartition = (account: string): string => `fail#${account}`;
export const lostPartition = (account: string): string => `lost#${account}`;
/** The number of partitions for the keys that were used on a day. */
export const dayParts = 16;

export const daysPartition = (day: string, part: number): string => `days#${day}#${part}`;

/** Sorts after everything that follows a prefix. */
export const last = '~';
