import { dayMs } from '../times.ts';

const hourMs = 3_600_000;

interface Range {
  words: string;
  resolution: 'hour' | 'day';
  /** Of hours or days. */
  count: number;
}

/** The times that a person can choose. Each ends now, with an hour or a day that is not over. */
export const ranges = {
  '24h': { words: '24 hours', resolution: 'hour', count: 24 },
  '7d': { words: '7 days', resolution: 'hour', count: 7 * 24 },
  '30d': { words: '30 days', resolution: 'day', count: 30 },
  '400d': { words: '400 days', resolution: 'day', count: 400 },
} as const satisfies Record<string, Range>;

export type RangeName = keyof typeof ranges;

/** The range as the API is asked for it: whole hours or days. */
export function asked(name: RangeName, now = Date.now()) {
  const { resolution, count } = ranges[name];
  const size = resolution === 'hour' ? hourMs : dayMs;
  const to = (Math.floor(now / size) + 1) * size;
  return {
    from: new Date(to - count * size).toISOString(),
    to: new Date(to).toISOString(),
    resolution,
  };
}

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options);
const hour = format({ hour: 'numeric' });
const date = format({ month: 'short', day: 'numeric' });
const utcDate = format({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const wholeHour = format({ month: 'short', day: 'numeric', hour: 'numeric' });
const wholeDay = format({ dateStyle: 'medium', timeZone: 'UTC' });

/** The shortest name of an hour or a day, below the chart. Days are those of UTC, as they are counted. */
export function briefly(iso: string, name: RangeName): string {
  const time = new Date(iso);
  if (name === '24h') return hour.format(time);
  return ranges[name].resolution === 'hour' ? date.format(time) : utcDate.format(time);
}

/** One hour or day, or several from the first to the last. */
export function spanning(
  first: string,
  last: string,
  { resolution }: { resolution: 'hour' | 'day' },
): string {
  const whole = resolution === 'hour' ? wholeHour : wholeDay;
  return first === last
    ? whole.format(new Date(first))
    : `${whole.format(new Date(first))} to ${whole.format(new Date(last))}`;
}
