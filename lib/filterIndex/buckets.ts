// Times are indexed by month, by day and by hour. A range of time consists of whole months, the whole days around them, and the hours at both
// ends. So a range of any length needs at most five queries.

export const levels = ['month', 'day', 'hour'] as const;

export type Level = (typeof levels)[number];

/** How many characters of an RFC 3339 time in UTC name its bucket: `2026-03`, `2026-03-01` or `2026-03-01T09`. */
const nameLengths: Record<Level, number> = { month: 7, day: 10, hour: 13 };

const hourMs = 3_600_000;

/** Returns the bucket of a time. @param time RFC 3339 in UTC with milliseconds */
export const bucketOf = (level: Level, time: string): string => time.slice(0, nameLengths[level]);

/** Returns the milliseconds since the beginning of the time's hour. A remainder would be negative before 1970. */
export const msInHour = (time: string): number => Date.parse(`1970-01-01T00${time.slice(nameLengths.hour)}`);

/** Times from `since` to before `before`, RFC 3339 in UTC with milliseconds. A missing end is open. */
export interface TimeRange {
  since?: string | undefined;
  before?: string | undefined;
}

/** Consecutive buckets of one level, including the last. */
export interface BucketRange {
  level: Level;
  first: string;
  last: string;
}

const firstTime = '0000-01-01T00:00:00.000Z';
const lastTime = '9999-12-31T23:59:59.999Z';

function startOf(level: Level, time: number): number {
  const date = new Date(time);
  if (level === 'month') date.setUTCDate(1);
  if (level === 'hour') date.setUTCMinutes(0, 0, 0);
  else date.setUTCHours(0, 0, 0, 0);
  return date.getTime();
}

function endOf(level: Level, time: number): number {
  const date = new Date(startOf(level, time));
  if (level === 'month') date.setUTCMonth(date.getUTCMonth() + 1);
  else if (level === 'day') date.setUTCDate(date.getUTCDate() + 1);
  else date.setTime(date.getTime() + hourMs);
  return date.getTime();
}

/** Returns the earliest beginning of a bucket that is not before a time. */
function ceiling(level: Level, time: number): number {
  const start = startOf(level, time);
  return start === time ? start : endOf(level, time);
}

/** Returns the buckets that together cover a range of time. The first and the last hour may reach beyond the range. */
export function bucketsOf({ since = firstTime, before }: TimeRange): BucketRange[] {
  const start = Date.parse(since);
  const end = before === undefined ? Date.parse(lastTime) + 1 : Date.parse(before);
  return split(levels, start, end);
}

/** Divides a range into whole buckets of the first level, and the rest on both sides into buckets of the finer levels. */
function split([level, ...finer]: readonly Level[], start: number, end: number): BucketRange[] {
  if (level === undefined || start >= end) return [];
  if (finer.length === 0) return [rangeOf(level, start, end)];
  const [from, to] = [ceiling(level, start), startOf(level, end)];
  if (from >= to) return split(finer, start, end);
  return [...split(finer, start, from), rangeOf(level, from, to), ...split(finer, to, end)];
}

const rangeOf = (level: Level, start: number, end: number): BucketRange => ({
  level,
  first: nameOf(level, start),
  last: nameOf(level, end - 1),
});

const nameOf = (level: Level, time: number): string => bucketOf(level, new Date(time).toISOString());
