import * as z from 'zod';
import { ruleError } from './rule.ts';

export const timeRule =
  'must be a time of RFC 3339 with an offset, or a date, which is that day at 00:00 UTC, in the years 0000 to 9999 of UTC, as in 2026-03-01T09:30:00Z';

/** Longer than any time with a fraction of seconds that clocks have. */
export const timeMax = 64;

const form =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Date reads the 30th of February as a day in March. */
function isExact(text: string): boolean {
  if (!form.test(text)) return false;
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

const parts = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}[\d:.]*))?(?: ?([Zz])| ?([+-]\d{2}):?(\d{2})?)?$/;

/** The form of RFC 3339 of a text that can mean only one time: a date, another separator, another case, an offset without colon. Any other text as it is. */
export function inRfc3339(text: string): string {
  const [, date, time, utc, hours, minutes = '00'] = parts.exec(text) ?? [];
  if (date === undefined) return text;
  const offset = utc?.toUpperCase() ?? (hours && `${hours}:${minutes}`);
  if (time === undefined) return offset === undefined ? `${date}T00:00:00Z` : text;
  return offset === undefined ? text : `${date}T${time}${offset}`;
}

const withoutOffset = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}[\d:.]*)$/;
const withoutPlus = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}[\d:.]*) (\d{2}):?(\d{2})$/;
const sinceEpoch = /^(\d{10}|\d{13})$/;

/** Where a message begins to quote the value. */
const asked = ' (';

/** The value in the right form, for a text that may mean several times; nothing when that is not a time either. */
function suggestion(text: string): string {
  const proposed = (time: string, sent = time) => (isExact(time) ? `${asked}did you mean ${sent}?)` : '');
  const [, date, time] = withoutOffset.exec(text) ?? [];
  if (date !== undefined) return proposed(`${date}T${time}Z`);
  const [, local = '', hours, minutes] = withoutPlus.exec(text) ?? [];
  if (hours !== undefined) {
    const start = local.replace(/[t ]/, 'T');
    const offset = `${hours}:${minutes}`;
    const named = proposed(`${start}+${offset}`, `${start}%2B${offset}`);
    return named && `${named.slice(0, -1)} In a URL, + is written %2B.)`;
  }
  const [, epoch] = sinceEpoch.exec(text) ?? [];
  return epoch === undefined ? '' : proposed(new Date(Number(epoch.padEnd(13, '0'))).toISOString());
}

/** The rule alone of a message of `time`, without anything that was sent. */
export const withoutSuggestion = (message: string): string =>
  message.startsWith(timeRule) ? timeRule : message;

/**
 * A time: input is RFC 3339 with any offset, or what can only mean one time; output is UTC with milliseconds and Z. What may mean
 * several times is refused, and the message has the right form of it.
 */
export function time() {
  return z
    .string(ruleError(timeRule))
    .max(timeMax, { error: timeRule, abort: true })
    .overwrite(inRfc3339)
    .refine(isExact, {
      error: ({ input }) => timeRule + suggestion(String(input)),
      abort: true,
    })
    .overwrite((text) => new Date(text).toISOString())
    .regex(/^\d{4}-/, timeRule);
}
