import { dayMs, hourMs, written } from '../shownTimes.ts';

interface Range {
  resolution: 'hour' | 'day';
  /** A number of hours or days. */
  count: number;
}

/** The times that a person can choose. Each ends now, with an hour or a day that is not over. */
export const ranges = {
  '24h': { resolution: 'hour', count: 24 },
  '7d': { resolution: 'hour', count: 7 * 24 },
  '30d': { resolution: 'day', count: 30 },
  '400d': { resolution: 'day', count: 400 },
} as const satisfies Record<string, Range>;

export type RangeName = keyof typeof ranges;

/** Whether the counts of the range before this one are kept, too: days are kept for 400 days. */
export const isKeptBefore = (name: RangeName): boolean => name !== '400d';

/** Returns the range as the API is asked for it: whole hours or days. @param before how many ranges ago */
export function asked(name: RangeName, before = 0, now = Date.now()) {
  const { resolution, count } = ranges[name];
  const size = resolution === 'hour' ? hourMs : dayMs;
  const to = (Math.floor(now / size) + 1 - before * count) * size;
  return {
    from: new Date(to - count * size).toISOString(),
    to: new Date(to).toISOString(),
    resolution,
  };
}

const named = {
  hour: written({ hour: 'numeric' }),
  date: written({ month: 'short', day: 'numeric' }),
  utcDate: written({ month: 'short', day: 'numeric', timeZone: 'UTC' }),
  utcMonth: written({ month: 'short', year: 'numeric', timeZone: 'UTC' }),
  wholeHour: written({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
  wholeDay: written({ dateStyle: 'medium', timeZone: 'UTC' }),
};

/** The shortest name of an hour, a day or a month, below the chart. Days are those of UTC, as they are counted. */
export function briefly(iso: string, range: RangeName): string {
  if (range === '24h') return named.hour(iso);
  if (ranges[range].resolution === 'hour') return named.date(iso);
  return range === '30d' ? named.utcDate(iso) : named.utcMonth(iso);
}

/** One hour or day, or several from the first to the last. */
export function spanning(first: string, last: string, { resolution }: Pick<Range, 'resolution'>): string {
  const whole = resolution === 'hour' ? named.wholeHour : named.wholeDay;
  return first === last ? whole(first) : `${whole(first)} to ${whole(last)}`;
}
