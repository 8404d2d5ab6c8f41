import { languages } from './locale.ts';

type Options = Intl.DateTimeFormatOptions;

/** Writes a time as people do who speak one of the languages, in the time zone of the browser unless the options name one. */
export const written = (options: Options): ((iso: string) => string) => {
  const format = new Intl.DateTimeFormat([...languages], options);
  return (iso) => format.format(new Date(iso));
};

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Returns the time so many hours ago. */
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * hourMs).toISOString();

// A part of a sentence, and so in its language.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const units = [
  ['year', 365 * dayMs],
  ['month', 30 * dayMs],
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', 60_000],
] as const;

/** A distance of which so little is missing to a whole unit is that unit: 7 days less a minute is 7 days. */
const slack = 0.05;

/** How far a time is from now: "in 2 months", "3 hours ago". */
export function fromNow(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  const unit = units.find(([, size]) => Math.abs(ms) / size + slack >= 1);
  if (!unit) return ms < 0 ? 'just now' : 'in a moment';
  return relative.format(Math.sign(ms) * Math.floor(Math.abs(ms) / unit[1] + slack), unit[0]);
}

export const onDay = written({ dateStyle: 'medium' });
export const atMinute = written({ dateStyle: 'medium', timeStyle: 'short' });
/** Includes seconds and the time zone. */
export const exactly = written({ dateStyle: 'medium', timeStyle: 'long' });
