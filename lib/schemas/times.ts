import * as z from 'zod';
import { readAs, ruleError } from './reading.ts';
import { trimmed } from './texts.ts';

export const timeRule =
  'must be an RFC 3339 time with an offset, as in 2026-03-01T09:30:00Z, in the years 0000 to 9999 of UTC';

/** Longer than any time that clocks write, even with a fraction of seconds. */
export const timeMax = 64;

const written =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,32}))?)? ?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/;

/**
 * Returns an RFC 3339 time in UTC with milliseconds. Other unambiguous spellings are read as well: lower case, a space for T and before the
 * offset, a comma before the fraction, an offset without a colon or minutes, and a time without seconds. Further digits are cut, so no time
 * moves into the next year. The leap second becomes the last millisecond of its minute.
 * @returns undefined for any other text
 */
function inUtc(text: string): string | undefined {
  const [, day = '', clock = '', second = '00', fraction = '', hours = '+00', minutes = '00'] =
    written.exec(trimmed(text).toUpperCase()) ?? [];
  const rest = second === '60' ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const at = new Date(`${day}T${clock}:${rest}${hours}:${minutes}`);
  // Date would read the 30th of February as a day in March.
  if (Number.isNaN(at.getTime()) || !isDay(day)) return undefined;
  const utc = at.toISOString();
  return /^\d/.test(utc) ? utc : undefined;
}

function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

const timeOf = (rule: string, read: (text: string) => string | undefined) =>
  readAs(
    z
      .string(ruleError(rule))
      .max(timeMax, { error: rule, abort: true })
      .refine((text) => inUtc(text) !== undefined, { error: rule, abort: true }),
    (sent) => (typeof sent === 'string' ? (read(sent) ?? sent) : sent),
  ).meta({ format: 'date-time', maxLength: timeMax });

/** A time. Its output is UTC with milliseconds and Z. */
export const time = () => timeOf(timeRule, inUtc);

/** A time in a query. A date means that day at 00:00 UTC. Queries decode `+` to a space, so a space before an offset is read as `+`. */
export const moment = () =>
  timeOf(`${timeRule}, or a date, which is that day at 00:00 UTC`, (sent) => {
    const text = trimmed(sent);
    return inUtc(
      /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+'),
    );
  }).optional();
